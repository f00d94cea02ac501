/** @module One database under test: its tables, Engine in front of it, and the bare driver beside it. */
import type { Config } from '@engine/core'
import { createPgWireServer } from '@engine/pgwire'
import { openGateway } from '../support/gateway.ts'
import { connectWire, type WireClient } from '../support/wire.ts'
import { type BinaryRows, binaryRows } from './binary-rows.ts'
import { copyOf, type Reference, widerColumn } from './reference.ts'
import type { DatabaseKind } from './stored-type.ts'
import type { StoredColumn, Written, WrittenRow } from './written.ts'

/** A database without Engine. */
export interface BareDatabase {
  readonly kind: DatabaseKind
  readonly connection: NonNullable<Config['connections']>[string]
  run(sql: string): Promise<void>
  /** The text of stored values: the ids of rows, and their cells in the order of the columns. */
  stored(
    table: string,
    columns: readonly StoredColumn[],
  ): Promise<readonly (readonly [id: number, ...cells: (string | null)[]])[]>
  /** A default of a column with this value, in the database's own SQL. */
  defaultOf(column: StoredColumn, value: string): string
  close(): Promise<void>
}

/** A refused request. */
export class Refused extends Error {
  readonly status: number

  constructor(status: number, body: string) {
    super(`${status} ${body}`)
    this.status = status
  }
}

export interface Subject {
  /** `POST /data`. @returns the body of the answer. @throws {Refused} */
  data(sql: string, params?: readonly unknown[]): Promise<string>
  /** `POST /data/batch`. @throws {Refused} */
  batch(
    statements: readonly (readonly [sql: string, params: readonly unknown[]])[],
  ): Promise<undefined>
  readonly wire: WireClient
  /** All columns in binary, by the wire. */
  binaryRows(sql: string): Promise<BinaryRows>
  /** Stores rows in the table `s`, whose columns are wider. */
  fillSource(written: Written): Promise<void>
  /** Rows that the first path has stored. */
  readonly firstIds: readonly number[]
  binaryOf: Reference['binaryOf']
  close(): Promise<void>
}

/** Creates the tables: `v`, `s` with wider columns, and `d0` … with the values of one row each as defaults. */
export async function createTables(
  { kind, run, defaultOf }: BareDatabase,
  columns: readonly StoredColumn[],
  defaults: readonly (readonly string[])[],
): Promise<void> {
  const declared = ({ type }: StoredColumn) => type.columns[kind] ?? ''
  const cells = columns.map((column) => `${column.name} ${declared(column)}`)
  const copies = columns.map(
    (column) =>
      `${copyOf(column.name)} ${declared(column).replace(/ null$/, '')} generated always as (${column.name}) stored`,
  )
  await run(`create table v (id integer primary key, ${[...cells, ...copies].join(', ')})`)
  const wider = columns.map(({ name, type }) => `${name} ${widerColumn(type.type, kind)}`)
  await run(`create table s (id integer primary key, ${wider.join(', ')})`)
  for (const [at, values] of defaults.entries()) {
    const all = columns.map(
      (column, index) =>
        `${column.name} ${declared(column)} default ${defaultOf(column, values[index] ?? '')}`,
    )
    await run(`create table d${at} (id integer primary key, ${all.join(', ')})`)
  }
}

export async function openSubject(
  { connection }: BareDatabase,
  { binaryOf }: Reference,
  firstIds: readonly number[],
): Promise<Subject> {
  const gateway = await openGateway(
    { connections: { main: connection }, pgWire: { port: 0 } },
    { pgWire: createPgWireServer, isDevelopment: true },
  )
  const { address } = await gateway.engine.startPgWire()
  const wire = await connectWire({ address })
  const post = async (path: string, body: unknown): Promise<string> => {
    const response = await gateway.fetch(
      new Request(`http://gateway.test${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
    const text = await response.text()
    if (response.status !== 200) throw new Refused(response.status, text)
    return text
  }
  const data = (sql: string, params: readonly unknown[] = []) =>
    post('/data', { sql, params, method: 'all' })
  return {
    data,
    batch: async (statements) => {
      const body = statements.map(([sql, params]) => ({ sql, params, method: 'all' }))
      await post('/data/batch', { statements: body })
      return undefined
    },
    wire,
    binaryRows: (sql) => binaryRows(address, sql),
    fillSource: async ({ columns, rows }) => {
      await data(`delete from main.s where id in (${rows.map(({ id }) => id).join(', ')})`)
      const names = columns.map(({ name }) => name).join(', ')
      const groups = rows.map(
        (_, row) =>
          `(${[0, ...columns].map((__, at) => `$${row * (columns.length + 1) + at + 1}`).join(', ')})`,
      )
      await data(
        `insert into main.s (id, ${names}) values ${groups.join(', ')}`,
        rows.flatMap(({ id, values }: WrittenRow) => [id, ...values]),
      )
    },
    firstIds,
    binaryOf,
    close: async () => {
      await wire.end()
      await gateway.close()
    },
  }
}
