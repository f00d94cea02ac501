/** @module The types of a corpus entry, and the short forms in which the lists are written. */

/** A parameter in the form of a request body. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

/** A statement that reads and that PostgreSQL accepts. */
export interface QueryCase {
  /** Unique within its group. */
  readonly name: string
  readonly group: string
  readonly sql: string
  readonly params: readonly JsonValue[]
  /** False: the rows are a multiset. True: the statement fixes their order completely. */
  readonly ordered: boolean
  /** False: only PostgreSQL can answer, other databases are expected to refuse. */
  readonly portable: boolean
}

/** One statement of a write case. */
export interface WriteStep {
  readonly sql: string
  readonly params: readonly JsonValue[]
  /** PostgreSQL refuses this step with this SQLSTATE, and it must have no effect. */
  readonly sqlstate?: string
}

/** Statements that write, one after the other on a fresh fixture, and a query that shows their effect. */
export interface WriteCase {
  readonly name: string
  readonly group: string
  readonly steps: readonly WriteStep[]
  /** A SELECT without parameters whose order is complete. */
  readonly check: string
  readonly portable: boolean
}

/** A statement that PostgreSQL refuses, before running it or while running it. */
export interface RejectedCase {
  readonly name: string
  readonly group: string
  readonly sql: string
  readonly params: readonly JsonValue[]
  readonly sqlstate: string
}

type Draft = Omit<QueryCase, 'group'>
type WriteDraft = Omit<WriteCase, 'group'>
type RejectedDraft = Omit<RejectedCase, 'group'>

/** A query whose ORDER BY determines the position of every row. */
export function inOrder(name: string, sql: string, params: readonly JsonValue[] = []): Draft {
  return { name, sql: qualify(sql), params, ordered: true, portable: true }
}

/** A query whose rows may be in any order. */
export function anyOrder(name: string, sql: string, params: readonly JsonValue[] = []): Draft {
  return { name, sql: qualify(sql), params, ordered: false, portable: true }
}

/** Marks a case that only PostgreSQL can answer. */
export function onPostgres<Case extends { readonly portable: boolean }>(draft: Case): Case {
  return { ...draft, portable: false }
}

/** Names the group of a list of queries. */
export function queries(group: string, drafts: readonly Draft[]): readonly QueryCase[] {
  return drafts.map((draft) => ({ ...draft, group }))
}

/** A step of a write case. */
export function step(sql: string, params: readonly JsonValue[] = []): WriteStep {
  return { sql: qualify(sql), params }
}

/** A step that PostgreSQL refuses with `sqlstate`. */
export function refusedStep(
  sqlstate: string,
  sql: string,
  params: readonly JsonValue[] = [],
): WriteStep {
  return { sql: qualify(sql), params, sqlstate }
}

/** Steps, and the query that shows their effect. */
export function write(name: string, steps: readonly WriteStep[], check: string): WriteDraft {
  return { name, steps, check: qualify(check), portable: true }
}

/** Names the group of a list of writes. */
export function writes(group: string, drafts: readonly WriteDraft[]): readonly WriteCase[] {
  return drafts.map((draft) => ({ ...draft, group }))
}

/** A statement with the SQLSTATE of PostgreSQL's refusal. */
export function refused(
  sqlstate: string,
  name: string,
  sql: string,
  params: readonly JsonValue[] = [],
): RejectedDraft {
  return { name, sql: qualify(sql), params, sqlstate }
}

/** Names the group of a list of statements that PostgreSQL refuses. */
export function rejections(
  group: string,
  drafts: readonly RejectedDraft[],
): readonly RejectedCase[] {
  return drafts.map((draft) => ({ ...draft, group }))
}

const tableNames: ReadonlySet<string> = new Set([
  'categories',
  'suppliers',
  'customers',
  'customer_profiles',
  'employees',
  'products',
  'tags',
  'product_tags',
  'orders',
  'order_items',
  'reviews',
  'type_samples',
  'odd names',
  'scratch',
  'counters',
  'memberships',
  'stock',
  'settings',
  'folders',
  'customer_totals',
  'open_orders',
  'pg_only',
  'spaces',
  'parted',
  'country_counts',
])

/** Writes `"main"."orders"` for `{orders}`; braces around anything but a table stay as they are. */
function qualify(sql: string): string {
  return sql.replace(/\{([a-z_ ]+)\}/g, (text, name: string) =>
    tableNames.has(name) ? `"main"."${name}"` : text,
  )
}
