import type { Filter } from '../filter/filter.ts'

/**
 * The rights of some roles on one table. Several permissions for the same table are combined: a row is visible when any of them
 * shows it, and a cell is its value only where one permission grants both its row and its column. An operation without a block is
 * denied.
 *
 * @example
 * definePermission({
 *   table: 'main.orders',
 *   roles: ['customer'],
 *   select: { columns: ['id', 'status'], where: { customer_id: '$user.customer_id' } },
 * })
 */
export interface Permission {
  /** `<connection>.<table>`. */
  readonly table: string
  /** Exact role names; `*` is any authenticated caller. */
  readonly roles: readonly string[]
  /** Defaults to the key under `permissions`; shown in denials (development) and explanations. */
  readonly name?: string
  readonly description?: string
  /** AND-ed to every row condition of these roles on this table, after permissions are combined. */
  readonly restrict?: Filter
  readonly select?: {
    /** Omitted or `'*'`: all columns known at start. */
    readonly columns?: readonly string[] | '*'
    /** Rows that can be read; omitted or `{}`: all. */
    readonly where?: Filter
    /** A result that reads the table has at most this number of rows. */
    readonly limit?: number
    /** `false` forbids aggregates and window functions over the table. Default true. */
    readonly aggregate?: boolean
  }
  readonly insert?: {
    readonly columns?: readonly string[] | '*'
    /** Must be TRUE for the stored row, defaults and triggers included. */
    readonly check?: Filter
    /** Values that Engine sets; the client may not name these columns. Constants or `$user.<field>`. */
    readonly preset?: Readonly<Record<string, unknown>>
  }
  readonly update?: {
    readonly columns?: readonly string[] | '*'
    /** Rows that can be changed, as they are before the change. */
    readonly where?: Filter
    /** Must be TRUE for the row as stored afterwards; omitted: `where` again. */
    readonly check?: Filter
    readonly preset?: Readonly<Record<string, unknown>>
  }
  readonly delete?: { readonly where?: Filter }
}
