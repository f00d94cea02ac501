import type { JsonValue } from '../case.ts'

/** A body for the data route that must not be answered with rows. */
export interface BadInputCase {
  readonly name: string
  readonly group: string
  /** Sent unchanged; bytes where the text is not UTF-8. */
  readonly body: string | Uint8Array
  /** Headers besides, or instead of, `content-type: application/json`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Allowed statuses. 200 is among them where the body is unusual but can be answered. */
  readonly allowed: readonly number[]
}

type Draft = Omit<BadInputCase, 'group'>

/** Names the group of a list of bodies. */
export function badInputs(group: string, drafts: readonly Draft[]): readonly BadInputCase[] {
  return drafts.map((draft) => ({ ...draft, group }))
}

/** A body exactly as written. */
export function raw(
  name: string,
  body: string | Uint8Array,
  allowed: readonly number[] = [400],
  headers?: Readonly<Record<string, string>>,
): Draft {
  return headers === undefined ? { name, body, allowed } : { name, body, allowed, headers }
}

/** A well-formed body with a statement that must be refused. */
export function statement(
  name: string,
  sql: string,
  allowed: readonly number[] = [400],
  params: readonly JsonValue[] = [],
): Draft {
  return { name, body: JSON.stringify({ sql, params, method: 'all' }), allowed }
}
