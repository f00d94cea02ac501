import type { SqlType } from './sql-type.ts'

/**
 * A value on its way to a database, in the form every adapter understands: PostgreSQL's own canonical text for the bound type
 * (`'42'`, `'1.50'`, `'true'`, `'2024-01-15 10:30:00.25'`, `'\xdead'`, JSON text), SQL's NULL, or a list of those for an array
 * type. Adapters convert it to their driver's form, by type.
 */
export type SqlValue = string | null | readonly SqlValue[]

/** One field of the caller in a filter: its path and the type it must have. */
export interface CallerSlot {
  /** Path after `$user`, own properties only: `['tenant_id']`. */
  readonly path: readonly string[]
  /** The type the value is converted to: that of the column it is compared with. */
  readonly type: SqlType
  /** The connection of the type: enums and domains of two databases may have the same oid. */
  readonly connection?: string
  /** The value is a pattern of LIKE: a pattern on which LIKE would fail counts as missing. */
  readonly isPattern?: boolean
}

/** The shift of a UTC timestamp before milliseconds are added. */
export interface CalendarOffset {
  /** First, back to midnight. */
  readonly startOfDay: boolean
  /** Then by this number of months; in a month that is too short, to its last day. */
  readonly months: number
}

/** The source of a parameter of a native statement. A plan holds sources, never the values of one caller. */
export type ValueSource =
  /** `$1` has the index 0. `form`: how the adapter sends it, in a word of its own; by its type where there is none. */
  | {
      readonly from: 'request'
      readonly index: number
      readonly type: SqlType
      readonly form?: string
    }
  | { readonly from: 'caller'; readonly slot: CallerSlot }
  | { readonly from: 'constant'; readonly value: SqlValue; readonly type: SqlType }
  /**
   * The start of the request, the same for the whole request; shifted by `calendar`, then by `offsetMs`: on the clock of `zone`, in
   * UTC without it. `ofTransaction`: the start of the open transaction, where there is one.
   */
  | {
      readonly from: 'requestTime'
      readonly type: SqlType
      readonly offsetMs: number
      readonly calendar: CalendarOffset | undefined
      readonly zone?: string | undefined
      readonly ofTransaction?: boolean | undefined
    }
  /**
   * A client's LIMIT parameter, lowered to `max` (rows); NULL and anything larger become `max`. With `isOffset` an OFFSET,
   * where NULL is 0.
   */
  | {
      readonly from: 'clampedLimit'
      readonly index: number
      readonly max: number
      readonly isOffset?: boolean
    }
  /**
   * The result of an earlier step of the same plan: a JSON array text with one element for each row, an array of that row's
   * column values. The adapter fills it in.
   */
  | { readonly from: 'step'; readonly step: number }
