/** @module Which rows of a table of members count: not those of people who are invited, removed or expired. */
import type { Column, Connection, Table } from '@engine/core/catalog'
import { wordsOf } from './column-names.ts'
import {
  countingWords,
  isCountingValue,
  isOverValue,
  type MembershipSign,
  membershipSign,
  settlesInvitation,
} from './membership-signs.ts'
import { allFilters, type RowFilter } from './row-filter.ts'
import { isMoment, now } from './stamps.ts'

export interface MembershipStatus {
  /** The condition on a row that counts; `{}`: every row counts. */
  readonly counts: RowFilter
  /** The columns of the condition. */
  readonly columns: readonly string[]
  /** By column: a value of a row that does not count, where one is known. */
  readonly over: readonly (readonly [column: string, value: unknown])[]
  /** Columns that say which rows count in a way that a name does not tell; a part of a sentence. */
  readonly unclear: string | undefined
}

/** The condition of one column. */
interface Condition {
  readonly filter: RowFilter
  /** A value for which the filter does not hold; undefined: none that surely fits the column. */
  readonly over?: unknown
}

type Judged = Condition | 'unclear' | undefined

/** @param isAsked which columns are looked at; all of them by default. */
export function membershipStatus(
  table: Table,
  { types }: Pick<Connection, 'types'>,
  isAsked: (column: string) => boolean = () => true,
): MembershipStatus {
  const keys = new Set([
    ...table.primaryKey,
    ...table.foreignKeys.flatMap(({ columns }) => columns),
  ])
  const columns = table.columns.filter(
    ({ name, ordinal }) => !table.primaryKey.includes(ordinal) && isAsked(name),
  )
  const signs = new Map(columns.map((column) => [column, membershipSign(column.name)] as const))
  const isSettled = [...signs].some(
    ([{ name }, sign]) => sign === 'status' || (sign === 'counts' && settlesInvitation(name)),
  )
  const judged = columns.map((column): readonly [Column, Judged] => {
    const labels = labelsOf(column, types)
    const sign = signs.get(column)
    if (sign === undefined)
      return [column, keys.has(column.ordinal) ? undefined : byLabels(column, labels)]
    // An invitation that was accepted may stay in the row.
    if (sign === 'asked' && isSettled) return [column, undefined]
    return [column, sign === 'status' ? byStatus(column, labels) : bySign(column, sign)]
  })
  const conditions = judged.flatMap(([{ name }, each]) =>
    typeof each === 'object' ? [{ name, ...each }] : [],
  )
  const unclear = judged.filter(([, each]) => each === 'unclear').map(([{ name }]) => `"${name}"`)
  return {
    counts: allFilters(conditions.map(({ filter }) => filter)),
    columns: conditions.map(({ name }) => name),
    over: conditions.flatMap(({ name, over }) =>
      over === undefined ? [] : [[name, over] as const],
    ),
    unclear: unclear.length === 0 ? undefined : unclear.join(' and '),
  }
}

function labelsOf(
  { type, listed }: Column,
  types: Connection['types'],
): readonly string[] | undefined {
  const known = types.typeByOid(type.oid)
  const values =
    (listed?.kind === 'one' ? listed.values : undefined) ?? known?.listedValues ?? known?.enumLabels
  return values?.every((value) => typeof value === 'string') ? values : undefined
}

/** A role or the like that can be `invited`. */
function byLabels({ name, nullable }: Column, labels: readonly string[] | undefined): Judged {
  const over = labels?.find(isOverValue)
  if (labels === undefined || over === undefined) return undefined
  const rest = labels.filter((label) => !isOverValue(label))
  const filter = { [name]: { $in: rest } }
  return { filter: nullable ? orNull(name, filter) : filter, over }
}

function byStatus(column: Column, labels: readonly string[] | undefined): Judged {
  const { name } = column
  if (isFlag(column)) return 'unclear'
  if (labels !== undefined) {
    const counting = labels.filter(isCountingValue)
    const over = labels.find((label) => !isCountingValue(label))
    return counting.length === 0 ? 'unclear' : { filter: { [name]: { $in: counting } }, over }
  }
  if (!isText(column)) return 'unclear'
  // Whatever the case in which an application writes it.
  const filter = { $or: countingWords.map((word) => ({ [name]: { $ilike: word } })) }
  return { filter, over: 'left' }
}

function bySign(column: Column, sign: Exclude<MembershipSign, 'status'>): Judged {
  const { name, nullable } = column
  const isNull = { [name]: { $isNull: true } }
  const unset: Judged = nullable ? { filter: isNull } : 'unclear'
  switch (sign) {
    case 'counts':
      if (isFlag(column)) return flagIs(column, true)
      if (isText(column) && !/\b(?:at|on|by|date|id)\b/.test(wordsOf(name))) return 'unclear'
      return nullable ? { filter: { [name]: { $notNull: true } }, over: null } : undefined
    case 'over':
      if (isFlag(column)) return flagIs(column, false)
      return isMoment(column) && nullable ? { filter: isNull, over: past } : unset
    case 'asked':
      return unset
    case 'ends':
      if (isFlag(column)) return flagIs(column, false)
      if (!isMoment(column)) return unset
      return { filter: nullable ? orNull(name, after(name)) : after(name), over: past }
    case 'begins': {
      if (isFlag(column)) return flagIs(column, true)
      if (!isMoment(column)) return unset
      const begun = { [name]: { $lte: now } }
      return { filter: nullable ? orNull(name, begun) : begun, over: future }
    }
  }
}

const past = '2001-01-01'
const future = '2999-12-31'

function after(name: string): RowFilter {
  return { [name]: { $gt: now } }
}

/** NULL in a flag means that it is not set. */
function flagIs(column: Column, isSet: boolean): Judged {
  const { name, nullable, type } = column
  const value = (set: boolean) => (type.oid === boolean ? set : Number(set))
  const filter = { [name]: value(isSet) }
  return { filter: nullable && !isSet ? orNull(name, filter) : filter, over: value(!isSet) }
}

function orNull(name: string, filter: RowFilter): RowFilter {
  return { $or: [{ [name]: { $isNull: true } }, filter] }
}

const boolean = 16
const flags: ReadonlySet<number> = new Set([boolean, 20, 21, 23])

/** MySQL and SQLite may have numbers for truth values. */
function isFlag({ type, name }: Column): boolean {
  return flags.has(type.oid) && !/(?:at|on|by|id|time|ts|date)$/i.test(name)
}

const texts: ReadonlySet<number> = new Set([25, 1042, 1043])

function isText({ type }: Column): boolean {
  return texts.has(type.oid)
}
