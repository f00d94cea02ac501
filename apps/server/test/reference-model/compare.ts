/** @module Runs the same policy, rows and statements on the engine and on the model. */

import { type Caller, createEngine, GatewayError } from '@engine/core'
import type { Adapter, AdapterFactory } from '@engine/core/adapter'
import fc from 'fast-check'
import type { TestDatabase } from '../support/databases.ts'
import { adapters } from '../support/gateway.ts'
import { answerOf } from './answer.ts'
import { policyOf } from './random-policy.ts'
import { now, rowsOf, type Schema } from './random-rows.ts'
import { type Call, callOf } from './random-statements.ts'
import type { Answer, Row, Rows, World } from './shapes.ts'
import { type SqlStatement, toSql } from './statement-sql.ts'
import { emptyTables, insertRows, tableNames } from './tables.ts'
import { mayBeUndecided } from './undecided.ts'

interface Scenario {
  readonly rows: Rows
  readonly permissions: World['permissions']
  readonly calls: readonly Call[]
}

export function scenarioOf(schema: Schema): fc.Arbitrary<Scenario> {
  return fc.record({
    rows: rowsOf(schema),
    permissions: policyOf(schema),
    calls: fc.array(callOf(schema), { minLength: 20, maxLength: 60 }),
  })
}

/** Runs scenarios on engine and model, one at a time. */
export interface Comparison {
  /** Their difference as text; undefined when there is none. */
  difference(scenario: Scenario): Promise<string | undefined>
  /** Number of answers of each kind. */
  readonly tally: ReadonlyMap<string, number>
  close(): Promise<void>
}

export function createComparison(database: TestDatabase, schema: Schema): Comparison {
  const tally = new Map<string, number>()
  const shared = sharedAdapters()
  return {
    difference: (scenario) => difference(database, schema, scenario, shared.adapters, tally),
    tally,
    close: () => shared.close(),
  }
}

/** Every engine uses the same connections: opening them takes longer than a scenario. */
function sharedAdapters() {
  const open = new Map<AdapterFactory, Adapter>()
  const keep =
    (connect: AdapterFactory): AdapterFactory =>
    (options) => {
      const adapter = open.get(connect) ?? connect(options)
      open.set(connect, adapter)
      return { ...adapter, close: async () => undefined }
    }
  const entries = Object.entries(adapters).map(([name, connect]) => [name, keep(connect)] as const)
  return {
    adapters: Object.fromEntries(entries),
    close: async () => {
      for (const adapter of open.values()) await adapter.close()
    },
  }
}

async function difference(
  database: TestDatabase,
  schema: Schema,
  { rows, permissions, calls }: Scenario,
  shared: Readonly<Record<string, AdapterFactory>>,
  tally: Map<string, number>,
): Promise<string | undefined> {
  const fill = tableNames.map((table) => insertRows(schema, table, rows[table] ?? [])).join('\n')
  await database.run(`begin;\n${emptyTables}\n${fill}\ncommit;`)
  const engine = await createEngine(
    {
      connections: { main: database.url },
      auth: { secret: 'a secret of at least thirty-two bytes' },
      permissions: permissions.map((each, i) => {
        const present = Object.entries(each).filter(([, part]) => part !== undefined)
        return {
          ...Object.fromEntries(present),
          table: `main.${each.table}`,
          name: `p${i}`,
        } as never
      }),
    },
    { adapters: shared, clock: () => now },
  )
  const ask = async ({ sql, params }: SqlStatement, caller: Caller) => {
    const request = { sql, params, method: 'all', meta: false, signal: undefined } as const
    const { body } = await engine.query(request, caller)
    return JSON.parse(Buffer.from(body as string).toString())
      .rows as readonly (readonly unknown[])[]
  }
  const contents = async (): Promise<Rows> => {
    const admin: Caller = { kind: 'admin', roles: [], fields: {} }
    const entries = tableNames.map(async (table): Promise<[string, readonly Row[]]> => {
      const names = Object.keys(schema[table]?.columns ?? {})
      const sql = `select ${names.join(', ')} from main.${table}`
      const found = await ask({ sql, params: [] }, admin)
      return [
        table,
        found.map((row) => Object.fromEntries(names.map((name, i) => [name, row[i]])) as Row),
      ]
    })
    return Object.fromEntries(await Promise.all(entries))
  }
  try {
    let known = rows
    for (const { roles, claims, statement } of calls) {
      const world: World = { schema, rows: known, permissions, roles, claims, now }
      const expected = answerOf(world, statement)
      const sql = toSql(statement)
      const answer = await ask(sql, { kind: 'user', id: 'u', roles, fields: claims }).then(
        (found) => ({ kind: 'rows', rows: found }),
        outcomeOf,
      )
      const kind = `${statement.kind} ${answer.kind}`
      tally.set(kind, (tally.get(kind) ?? 0) + 1)
      if (answer.kind === 'unsupported') continue
      const isOrdered = statement.kind === 'select'
      const isUndecided = answer.kind === 'rejected' && mayBeUndecided(world, statement)
      const isSame = isUndecided || spell(expected, isOrdered) === spell(answer, isOrdered)
      const stored = statement.kind === 'select' ? known : await contents()
      const wanted = expected.kind === 'rows' && !isUndecided ? expected.after : known
      if (!isSame || tablesOf(stored) !== tablesOf(wanted)) {
        return describe({ roles, claims, sql, expected, answer, known, permissions, stored })
      }
      known = wanted
    }
    return undefined
  } finally {
    await engine.close()
  }
}

function outcomeOf(error: unknown): { readonly kind: string; readonly message?: string } {
  if (!(error instanceof GatewayError)) throw error
  if (error.status === 403) return { kind: 'refused' }
  if (error.status === 409 || error.status === 422) return { kind: 'rejected' }
  if (error.problem === 'unsupported') return { kind: 'unsupported' }
  return { kind: `${error.status}`, message: error.message }
}

function spell(
  answer: { readonly kind: string; readonly rows?: unknown },
  isOrdered: boolean,
): string {
  if (!Array.isArray(answer.rows)) return answer.kind
  const rows = answer.rows.map((row) => JSON.stringify(row))
  return (isOrdered ? rows : rows.toSorted()).join('\n')
}

function tablesOf(rows: Rows): string {
  const texts = Object.entries(rows).map(([table, list]) => [
    table,
    list.map((row) => canonical(row)).toSorted(),
  ])
  return JSON.stringify(texts)
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}

interface Disagreement {
  readonly roles: readonly string[]
  readonly claims: unknown
  readonly sql: SqlStatement
  readonly expected: Answer
  readonly answer: { readonly kind: string; readonly rows?: unknown; readonly message?: string }
  readonly known: Rows
  readonly permissions: World['permissions']
  readonly stored: Rows
}

function describe(found: Disagreement): string {
  const { expected, answer, known, stored } = found
  const show = (rows: Rows) =>
    Object.entries(rows).flatMap(([t, list]) => list.map((row) => `  ${t} ${JSON.stringify(row)}`))
  return [
    `caller ${JSON.stringify({ roles: found.roles, ...(found.claims as object) })}`,
    `sends ${found.sql.sql}  ${JSON.stringify(found.sql.params)}`,
    `model: ${expected.kind} ${expected.kind === 'rows' ? JSON.stringify(expected.rows) : ''}`,
    `engine: ${answer.kind} ${JSON.stringify(answer.rows ?? answer.message ?? '')}`,
    'permissions:',
    ...found.permissions.map((each) => `  ${JSON.stringify(each)}`),
    'rows before:',
    ...show(known),
    ...(expected.kind === 'rows' && tablesOf(stored) !== tablesOf(expected.after)
      ? [
          'rows after, by the model:',
          ...show(expected.after),
          'stored by the engine:',
          ...show(stored),
        ]
      : []),
  ].join('\n')
}
