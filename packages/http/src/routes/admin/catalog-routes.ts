/** @module The structure of all databases, a few rows of a table, and statements as a caller of choice. */
import { methods } from '@engine/contract'
import type { CatalogTable, StatementAnswer } from '@engine/contract/admin-api'
import { admin, type Caller, GatewayError, type QueryAnswer } from '@engine/core'
import type { Table } from '@engine/core/catalog'
import { z } from 'zod'
import type { Call } from '../../route-handler.ts'
import type { AdminOptions } from './admin-options.ts'
import {
  type AddRoutes,
  type AnswerOf,
  json,
  jsonText,
  notFound,
  readBody,
  readQuery,
  recordedChange,
} from './admin-route.ts'
import { withDetails } from './config-request.ts'
import { subjectInput, subjectOf } from './subject.ts'

const name = z.string().min(1).max(500)

const rowsInput = z.strictObject({
  connection: name,
  table: name,
  limit: z.coerce.number().int().min(1).max(100).default(20),
})

const queryInput = z.strictObject({
  sql: z.string(),
  params: z.array(z.unknown()).default([]),
  method: z.enum(methods).default('all'),
  ...subjectInput,
})

export function addCatalogRoutes(add: AddRoutes, options: AdminOptions): void {
  const { engine } = options
  add('/admin/api/catalog', {
    GET: async (call) => {
      readQuery(call, z.strictObject({}))
      const { document, unreached } = await engine.describe()
      const connections = Object.entries(document.connections).map(([connection, described]) => {
        const tables = engine.catalog().connections.get(connection)?.tables
        const withDetails = Object.entries(described.tables).map(
          ([table, description]): [string, CatalogTable] => [
            table,
            { ...description, ...detailsOf(tables?.get(table)) },
          ],
        )
        return [connection, { ...described, tables: Object.fromEntries(withDetails) }] as const
      })
      return json({ connections: Object.fromEntries(connections), unreached })
    },
  })
  add('/admin/api/catalog/rows', {
    GET: async (call) => {
      const { connection, table, limit } = readQuery(call, rowsInput)
      const found = engine.catalog().connections.get(connection)?.tables.get(table)
      if (found === undefined) throw notFound('table')
      const sql = `select * from ${quoted(connection)}.${quoted(found.name)} limit ${limit}`
      // Rows of users' data: who looked at them is written down, like every statement.
      return recordedChange(options, call, 'rows-read', async () => {
        const answer = await run(options, call, { sql, params: [], method: 'all' }, admin)
        return { result: answered(answer), facts: { table: `${connection}.${table}` } }
      })
    },
  })
  add('/admin/api/query', {
    POST: withDetails(async (call) => {
      const { sql, params, method, ...asked } = await readBody(call, queryInput)
      const subject = await subjectOf(asked, options, call)
      return recordedChange(options, call, 'query', async () => {
        const answer = await run(options, call, { sql, params, method }, subject.caller)
        return { result: answered(answer), facts: { sql, as: subject.facts } }
      })
    }),
  })
}

type Statement = Pick<Parameters<AdminOptions['engine']['query']>[0], 'sql' | 'params' | 'method'>

/** As `POST /data` runs it for that caller. */
function run(
  { engine }: AdminOptions,
  call: Call,
  statement: Statement,
  caller: Caller,
): Promise<QueryAnswer> {
  const { correlationId, client } = call
  const origin = {
    correlationId,
    ip: client.ip,
    via: 'admin',
    credentialId: undefined,
    isByAdmin: true,
  }
  return engine.query({ ...statement, meta: true, signal: call.signal(), origin }, caller)
}

/** Contains the body that `/data` would have sent, unchanged. */
function answered({ body, rowCount, truncated }: QueryAnswer): AnswerOf<StatementAnswer> {
  const text = typeof body === 'string' ? body : Buffer.from(body).toString()
  const rest: Omit<StatementAnswer, 'body'> = { rowCount, truncated }
  return jsonText(`${JSON.stringify(rest).slice(0, -1)},"body":${text}}`)
}

/** PostgreSQL's spelling of a name. */
function quoted(text: string): string {
  if (text.includes('\0')) throw new GatewayError('invalidInput', 'A name has no U+0000.')
  return `"${text.replaceAll('"', '""')}"`
}

/** What `GET /schema` does not tell, by column name. */
function detailsOf(
  table: Table | undefined,
): Partial<Omit<CatalogTable, 'columns' | 'relationships'>> {
  if (table === undefined) return {}
  const { kind, comment, uniqueKeys, foreignKeys, columns, hasRowSecurity = false } = table
  const nameOf = (ordinal: number) => columns[ordinal]?.name ?? ''
  return {
    kind,
    comment: comment ?? null,
    hasRowSecurity,
    uniqueKeys: uniqueKeys.map((key) => key.map(nameOf)),
    foreignKeys: foreignKeys.map((key) => ({
      columns: key.columns.map(nameOf),
      table: key.table,
      references: key.references,
    })),
    natives: Object.fromEntries(
      columns.map((column): [string, NonNullable<CatalogTable['natives']>[string]] => [
        column.name,
        { type: column.nativeType, generated: column.generated, comment: column.comment ?? null },
      ]),
    ),
  }
}
