import type { SqlType } from './sql-type.ts'

/**
 * A value on its way to a database, in the form every adapter understands: PostgreSQL's own canonical text
 * for the bound type (`'42'`, `'1.50'`, `'true'`, `'2024-01-15 10:30:00.25'`, `'\xdead'`, JSON text), SQL's NULL,
 * or a list of those for an array type. Adapters turn it into what their driver wants, by type.
 */
export type SqlValue = string | null | readonly SqlValue[]

/** One field of the caller as a filter uses it: where it is read from and the type it must have. */
export interface CallerSlot {
  /** Path below `$user`, own properties only: `['tenant_id']`. */
  readonly path: readonly string[]
  /** The type the value is converted to: that of the column it is compared with. */
  readonly type: SqlType
  /** The connection that knows the type: enums and domains of two databases may have the same number. */
  readonly connection?: string
  /** The value is a pattern of LIKE: one that LIKE would fail on is no value. */
  readonly isPattern?: boolean
}

/** What a moment in UTC is moved by before milliseconds are added. */
export interface CalendarOffset {
  /** First back to midnight. */
  readonly startOfDay: boolean
  /** Then by so many months, to the last day of a month that is too short. */
  readonly months: number
}

/** Where a parameter of a native statement comes from. A plan holds sources, never the values of one caller. */
export type ValueSource =
  | { readonly from: 'request'; readonly index: number; readonly type: SqlType } // $1 is index 0
  | { readonly from: 'caller'; readonly slot: CallerSlot }
  | { readonly from: 'constant'; readonly value: SqlValue; readonly type: SqlType }
  /** The moment the request began, the same for the whole request; moved by `calendar`, then by `offsetMs`. */
  | {
      readonly from: 'requestTime'
      readonly type: SqlType
      readonly offsetMs: number
      readonly calendar: CalendarOffset | undefined
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
   * What an earlier step of the same plan produced: a JSON array text, one element a row, each an array of
   * that row's column values. Filled in by the adapter.
   */
  | { readonly from: 'step'; readonly step: number }
