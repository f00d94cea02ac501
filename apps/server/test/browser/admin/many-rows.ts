/** @module Very many rows: an audit of a hundred thousand entries, and a matrix of 500 tables and 20 roles. */
import Database from 'better-sqlite3'
import type { Page } from 'playwright-core'

/** @param path of the service database. */
export function fillAudit(path: string): void {
  const database = new Database(path)
  database.exec(`insert into engine_audit (id, at, node, kind, sql_text, row_count)
    with recursive n (i) as (select 0 union all select i + 1 from n where i < 99999)
    select printf('%08x-%04x-7000-8000-%012x', ms / 65536, ms % 65536, i), ms, 'node', 'query',
      'select ' || i, 1 from (select i, 1700000000000 + i as ms from n)`)
  database.close()
}

/** Answers the page with a matrix in which every role may read every table. */
export async function showLargeMatrix(page: Page): Promise<void> {
  const roles = Array.from({ length: 20 }, (_, index) => `role${index}`)
  const tables = Array.from({ length: 500 }, (_, index) => `main.t${index}`)
  const entries = tables.flatMap((table) =>
    roles.map((role) => ({
      role,
      table,
      operation: 'select',
      grants: [{ permission: 'p' }],
      restrict: [],
      masked: [],
    })),
  )
  const body = JSON.stringify({ isOpen: false, roles, tables, entries })
  await page.route('**/admin/api/permissions/matrix', (route) =>
    route.fulfill({ body, contentType: 'application/json' }),
  )
}
