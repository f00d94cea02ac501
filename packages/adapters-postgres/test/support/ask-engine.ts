/** @module Statements of a caller, and the SQLSTATE of a refusal. */
import type { Caller, Engine } from '@engine/core'

/** A user of tenant 1. */
export function tenantUser(role: string): Caller {
  return { kind: 'user', id: 'u', roles: [role], fields: { tenant: 1 } }
}

export async function rowsOf(
  engine: Engine,
  sql: string,
  caller: Caller,
  params: readonly unknown[] = [],
): Promise<unknown> {
  const request = { sql, params, method: 'all', meta: false, signal: undefined } as const
  const { body } = await engine.query(request, caller)
  return (JSON.parse(String(body)) as { rows: unknown }).rows
}

/** `none` when it succeeds. */
export function sqlStateOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: { sqlState?: string }) => `${error.sqlState}`,
  )
}
