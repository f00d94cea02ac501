/** @module Columns that say who made or changed a row, and when: the engine sets them. */
// cspell:ignore creat
import type { Column } from '@engine/core/catalog'
import { wordsOf } from './column-names.ts'

const made =
  'created|made|added|inserted|posted|uploaded|submitted|requested|reported|authored|written|opened|recorded|registered|placed|sent|invited'
const changed = 'updated|modified|changed|edited'

const makerNames = new RegExp(
  `^(?:${made}) by(?: (?:user )?id)?$|^(?:creator|author|reporter|requester|submitter|uploader|sender|from user|poster|post author|inviter)(?: id)?$`,
)
const changerNames = new RegExp(
  `^(?:last )?(?:${changed}) by(?: (?:user )?id)?$|^(?:last )?editor(?: id)?$`,
)
const madeNames =
  /^(?:row )?(?:created|inserted|added|registered)(?: ?(?:at|on|date|time|ts|datetime))?$|^(?:creat(?:e|ion)|insert) ?(?:date|time|at|ts)$|^date (?:created|added|inserted|joined)$/
const changedNames =
  /^(?:row |last )?(?:updated|modified|changed|edited|update|modification)(?: ?(?:at|on|date|time|ts|datetime))?$|^date (?:updated|modified|changed)$|^update ?(?:date|time|ts)$/

export type Stamp = 'maker' | 'changer' | 'made' | 'changed'

/** What the name of a column suggests; undefined: it is none of them. */
export function stampOf(column: string): Stamp | undefined {
  const words = wordsOf(column)
  if (makerNames.test(words)) return 'maker'
  if (changerNames.test(words)) return 'changer'
  if (madeNames.test(words)) return 'made'
  return changedNames.test(words) ? 'changed' : undefined
}

const moments: ReadonlySet<number> = new Set([1082, 1114, 1184])

/** A date or a timestamp: the moment of the request fits it. */
export function isMoment({ type }: Column): boolean {
  return moments.has(type.oid)
}

/** The moment of the request, as a preset. */
export const now = { $now: '0s' } as const
