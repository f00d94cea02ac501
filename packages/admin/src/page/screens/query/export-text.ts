/** @module An answer as CSV, and a statement as code. */
import type { ResultBody } from '@engine/contract/admin-api'

/** RFC 4180. A text that a spreadsheet would run as a formula gets an apostrophe before it. */
export function csvOf({ columns = [], rows = [] }: ResultBody): string {
  const lines = [columns.map(({ name }) => name), ...rows]
  return lines.map((line) => line.map(csvField).join(',')).join('\r\n')
}

function csvField(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const safe = /^[=+\-@\t\r]/.test(text) && !/^-?\d+(?:\.\d+)?$/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) || text === '' ? `"${safe.replaceAll('"', '""')}"` : safe
}

export interface Statement {
  readonly sql: string
  readonly params: readonly unknown[]
  /** Origin and path of the engine. */
  readonly url: string
}

/** For a shell; the token is the reader's. */
export function curlOf({ sql, params, url }: Statement): string {
  const body = JSON.stringify({ sql, params, method: 'all' }).replaceAll("'", `'\\''`)
  return [
    `curl -s '${url}/data' \\`,
    `  -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\`,
    `  -d '${body}'`,
  ].join('\n')
}

export function drizzleOf({ sql, params, url }: Statement): string {
  return [
    `import { createClient } from '@engine/client'`,
    `import { createDrizzleDriver } from '@engine/client/drizzle'`,
    `import { sql } from 'drizzle-orm'`,
    `import { drizzle } from 'drizzle-orm/pg-proxy'`,
    '',
    `const client = createClient({ url: ${JSON.stringify(url)} })`,
    'const db = drizzle(createDrizzleDriver(client).callback)',
    `const rows = await db.execute(sql\`${template(sql, params)}\`)`,
  ].join('\n')
}

export function kyselyOf({ sql, params, url }: Statement): string {
  return [
    `import { createClient } from '@engine/client'`,
    `import { engineDialect } from '@engine/client/kysely'`,
    `import { Kysely, sql } from 'kysely'`,
    '',
    `const client = createClient({ url: ${JSON.stringify(url)} })`,
    'const db = new Kysely({ dialect: engineDialect(client) })',
    `const { rows } = await sql\`${template(sql, params)}\`.execute(db)`,
  ].join('\n')
}

/** The statement as a template: `$1` becomes `${7}`. Inside of quotes, nothing changes. */
function template(sql: string, params: readonly unknown[]): string {
  const inTemplate = (text: string) => text.replaceAll(/[`\\]|\$(?=\{)/g, '\\$&')
  const parts = sql.split(/('(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\$\d+)/)
  return parts
    .map((part) => {
      const index = /^\$(\d+)$/.exec(part)?.[1]
      if (index === undefined) return inTemplate(part)
      return `\${${JSON.stringify(params[Number(index) - 1] ?? null)}}`
    })
    .join('')
}
