/** @module A first query, as a line for a shell and as programs. */
import { tableParts } from '../permissions/editor/rule.ts'
import { quoted } from './fields.ts'
import type { Rules } from './use-start.ts'

export interface Asked {
  /** Origin and path of the engine. */
  readonly url: string
  readonly sql: string
  /** Empty: none is needed. */
  readonly token: string
}

/** Columns that the first statement names at most. */
const mostColumns = 5

/** @param rules of one role. */
export function firstStatement(connection: string, table: string, rules: Rules): string {
  const rule = Object.values(rules).find((each) => {
    const parts = tableParts(each.table)
    return parts.connection === connection && parts.table === table
  })
  const { columns } = (rule?.['select'] ?? {}) as { readonly columns?: unknown }
  const named = Array.isArray(columns) ? columns.slice(0, mostColumns).map(String) : []
  const list = named.length === 0 ? '*' : named.map(quoted).join(', ')
  return `select ${list} from ${quoted(connection)}.${quoted(table)} limit 10`
}

export function curlSnippet({ url, sql, token }: Asked): string {
  const body = JSON.stringify({ sql, params: [], method: 'all' }).replaceAll("'", `'\\''`)
  return [
    `curl -s '${url}/data' \\`,
    ...(token === '' ? [] : [`  -H 'Authorization: Bearer ${token}' \\`]),
    `  -H 'Content-Type: application/json' \\`,
    `  -d '${body}'`,
  ].join('\n')
}

export function clientSnippet({ url, sql, token }: Asked): string {
  const key = token === '' ? '' : `, token: ${JSON.stringify(token)}`
  return [
    '// npm install @engine/client',
    `import { createClient } from '@engine/client'`,
    '',
    `const client = createClient({ url: ${JSON.stringify(url)}${key} })`,
    'const { rows } = await client.query({',
    `  sql: ${JSON.stringify(sql)},`,
    `  method: 'all',`,
    '})',
    'console.log(rows)',
  ].join('\n')
}

export function drizzleSnippet({ url, sql, token }: Asked): string {
  const key = token === '' ? '' : `, token: ${JSON.stringify(token)}`
  const inTemplate = sql.replaceAll(/[`\\]|\$(?=\{)/g, '\\$&')
  return [
    '// npm install @engine/client drizzle-orm',
    `import { createClient } from '@engine/client'`,
    `import { createDrizzleDriver } from '@engine/client/drizzle'`,
    `import { sql } from 'drizzle-orm'`,
    `import { drizzle } from 'drizzle-orm/pg-proxy'`,
    '',
    `const client = createClient({ url: ${JSON.stringify(url)}${key} })`,
    'const db = drizzle(createDrizzleDriver(client).callback)',
    `console.log(await db.execute(sql\`${inTemplate}\`))`,
  ].join('\n')
}
