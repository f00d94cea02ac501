import type pg from 'pg'
import type { JsonValue } from './case.ts'
import { type ElementTypes, wireValue } from './wire-value.ts'

/** A direct connection to the PostgreSQL server that provides the right answers. */
export interface DirectConnection {
  readonly client: pg.ClientBase
  readonly elementTypes: ElementTypes
}

export interface DirectResult {
  readonly columns: readonly { readonly name: string; readonly oid: number }[]
  /** `rows[i][j]` is row i, column j, in the forms of the data route. */
  readonly rows: readonly (readonly JsonValue[])[]
  /** Number of rows returned or changed. */
  readonly rowCount: number
}

/** Without `queryMode` the driver sends a statement without values as a simple query, or several. */
interface ExtendedQuery extends pg.QueryArrayConfig {
  readonly queryMode: 'extended'
}

/** PostgreSQL's description of a statement before it runs. */
export interface StatementDescription {
  readonly parameterOids: readonly number[]
}

/** Sets the session to the output forms of the data route. The caller closes the client. */
export async function openDirect(client: pg.ClientBase): Promise<DirectConnection> {
  await client.query(`set TimeZone = 'UTC'; set DateStyle = 'ISO, MDY';
    set IntervalStyle = 'postgres'; set extra_float_digits = 1; set bytea_output = 'hex';
    set search_path = ''; set statement_timeout = '30s'`)
  const { rows } = await client.query<{ oid: number; typelem: number }>(
    `select oid::int4, typelem::int4 from pg_catalog.pg_type
     where typelem <> 0 and typsubscript = 'pg_catalog.array_subscript_handler'::regproc`,
  )
  return { client, elementTypes: new Map(rows.map((row) => [row.oid, row.typelem])) }
}

/** Runs a statement and returns its rows in the form for a client of the data route. */
export async function queryDirect(
  direct: DirectConnection,
  sql: string,
  params: readonly JsonValue[] = [],
): Promise<DirectResult> {
  const values = await parameterTexts(direct, sql, params)
  const config: ExtendedQuery = {
    text: sql,
    values: [...values],
    rowMode: 'array',
    queryMode: 'extended',
    types: { getTypeParser: () => (text: string) => text },
  }
  const result = await direct.client.query<(string | null)[]>(config)
  const columns = result.fields.map((field) => ({ name: field.name, oid: field.dataTypeID }))
  const rows = result.rows.map((row) =>
    row.map((text, index) => wireValue(text, columns[index]?.oid ?? 0, direct.elementTypes)),
  )
  return { columns, rows, rowCount: result.rowCount ?? 0 }
}

/** The rows of {@link queryDirect}. */
export async function expectedRows(
  direct: DirectConnection,
  sql: string,
  params: readonly JsonValue[] = [],
): Promise<DirectResult['rows']> {
  return (await queryDirect(direct, sql, params)).rows
}

/** The types that PostgreSQL infers for the parameters of a SELECT, INSERT, UPDATE, DELETE or VALUES. */
export async function describeStatement(
  direct: DirectConnection,
  sql: string,
): Promise<StatementDescription> {
  await direct.client.query(`prepare corpus_probe as ${sql}`)
  try {
    const { rows } = await direct.client.query<{ oids: number[] }>(
      `select parameter_types::oid[]::int4[] as oids from pg_catalog.pg_prepared_statements
       where name = 'corpus_probe'`,
    )
    return { parameterOids: rows[0]?.oids ?? [] }
  } finally {
    await direct.client.query('deallocate corpus_probe')
  }
}

/**
 * The texts of a body's parameters. The meaning of a JSON object or array depends on the type of its parameter, so
 * PostgreSQL infers it.
 */
async function parameterTexts(
  direct: DirectConnection,
  sql: string,
  params: readonly JsonValue[],
): Promise<readonly (string | null)[]> {
  const hasStructure = params.some((value) => typeof value === 'object' && value !== null)
  const oids = hasStructure ? (await describeStatement(direct, sql)).parameterOids : []
  return params.map((value, index) => parameterText(value, oids[index]))
}

function parameterText(value: JsonValue, oid: number | undefined): string | null {
  if (value === null) return null
  if (typeof value !== 'object') return String(value)
  if (oid === 17) return bytesText(value)
  return Array.isArray(value) && oid !== 114 && oid !== 3802
    ? arrayText(value)
    : JSON.stringify(value)
}

/** A Node.js Buffer after JSON.stringify: `{ type: 'Buffer', data: [1, 2] }`. */
function bytesText(value: object): string {
  if (!('data' in value) || !Array.isArray(value.data)) throw new TypeError('not a Buffer')
  return `\\x${Buffer.from(value.data as number[]).toString('hex')}`
}

function arrayText(items: readonly JsonValue[]): string {
  const texts = items.map((item) => {
    if (item === null) return 'NULL'
    if (Array.isArray(item)) return arrayText(item)
    const text = typeof item === 'object' ? JSON.stringify(item) : String(item)
    return `"${text.replace(/["\\]/g, '\\$&')}"`
  })
  return `{${texts.join(',')}}`
}
