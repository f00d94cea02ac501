/** @module The result of a statement, as its command tag. */
import type { StatementDescription } from '@engine/core/session'

type Operation = StatementDescription['operation']

export interface Completion {
  /** `SELECT`, `INSERT 0`, `BEGIN` */
  readonly verb: string
  /** Undefined for a tag without a number. */
  readonly count: number | undefined
}

const verbs: Readonly<Record<Operation, string>> = {
  select: 'SELECT',
  insert: 'INSERT 0',
  update: 'UPDATE',
  delete: 'DELETE',
  merge: 'MERGE',
}

/** For a statement of the engine. */
export function completionOf(operation: Operation, count: number): Completion {
  return { verb: verbs[operation], count }
}

/** For a command whose tag has no number. */
export function plainCompletion(verb: string): Completion {
  return { verb, count: undefined }
}

/** In the spelling of another server: `SELECT 3`. */
export function parseTag(tag: string): Completion {
  const [, verb = tag, digits] = /^(.*?)(?: (\d+))?$/.exec(tag) ?? []
  return { verb, count: digits === undefined ? undefined : Number(digits) }
}

/** `SELECT 3`, `INSERT 0 1`, `BEGIN` */
export function tagOf({ verb, count }: Completion): string {
  return count === undefined ? verb : `${verb} ${count}`
}
