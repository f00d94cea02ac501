/** Plans that pause in the middle, by an adapter that compiles for as long as a test wants. */
import { afterEach, expect, test } from 'vitest'
import type { IntrospectedColumn, IntrospectedTable } from '../../compiler/catalog/introspection.ts'
import type { AuthorizedStatement } from '../../compiler/permissions/authorize/authorized.ts'
import type { CompiledStatement } from '../../compiler/plan/plan.ts'
import { oids } from '../../compiler/sql-types/oids.ts'
import { createEngine } from '../../engine/engine.ts'
import type { Engine } from '../../engine/engine-interface.ts'
import { admin } from '../../foundation/caller.ts'
import type { Steps } from '../../foundation/steps.ts'
import type { Adapter } from '../adapter/adapter.ts'
import { compileOf } from '../adapter/compile-in-steps.ts'

function column(name: string): IntrospectedColumn {
  return {
    name,
    type: { oid: oids.int4, typmod: -1 },
    nullable: true,
    hasDefault: false,
    generated: 'no',
    nativeType: '',
    nativeDefault: undefined,
    collation: undefined,
    native: undefined,
    comment: undefined,
  }
}

let columns: readonly string[] = ['id', 'a']

const table = (): IntrospectedTable => ({
  schema: undefined,
  name: 't',
  kind: 'table',
  comment: undefined,
  columns: columns.map(column),
  primaryKey: ['id'],
  uniqueKeys: [],
  foreignKeys: [],
})

let engine: Engine | undefined

afterEach(async () => {
  columns = ['id', 'a']
  await engine?.close()
})

/** @param pause the steps before each statement is compiled. */
async function openEngine(pause: () => Steps<void>): Promise<Engine> {
  const compiled = ({ body }: AuthorizedStatement): CompiledStatement => ({
    steps: [],
    needsTransaction: false,
    isWrite: false,
    columns: 'columns' in body && body.kind !== 'insert' ? body.columns : [],
    hints: undefined,
  })
  const adapter: Adapter = {
    kind: 'sqlite',
    traits: { carriesConditionsAcrossJoins: false, streamsRecursion: true },
    introspect: async () => ({ types: [], tables: [table()] }),
    compile: compileOf(function* (statement) {
      yield* pause()
      return compiled(statement)
    }),
    execute: async () => ({ rows: '', rowCount: 0, truncated: false }),
    transaction: async () => {
      throw new Error('there are no transactions here')
    },
    ping: async () => undefined,
    close: async () => undefined,
  }
  engine = await createEngine(
    { connections: { main: { url: 'paused.db' } }, open: true },
    { adapters: { '@engine/adapters-sqlite': () => adapter } },
  )
  return engine
}

/** The names of the columns in the answer to `select * from main.t`. */
async function namesOf(own: Engine, signal?: AbortSignal): Promise<readonly string[]> {
  const request = { sql: 'select * from main.t', params: [], method: 'all', meta: true } as const
  const { body } = await own.query({ ...request, signal }, admin)
  const text = typeof body === 'string' ? body : Buffer.from(body as Uint8Array).toString()
  const answer = JSON.parse(text) as { readonly columns: readonly { readonly name: string }[] }
  return answer.columns.map(({ name }) => name)
}

test('a plan that began before a change of the schema is complete without it', async () => {
  let isRefreshed = false
  const own = await openEngine(function* () {
    if (columns.length === 2) {
      columns = ['id', 'a', 'b']
      void own.refreshCatalog().then(() => {
        isRefreshed = true
      })
    }
    while (!isRefreshed) yield
  })
  expect(await namesOf(own)).toEqual(['id', 'a'])
  // It is not remembered for the schema of now.
  expect(await namesOf(own)).toEqual(['id', 'a', 'b'])
})

test('a request that is cancelled ends its plan in the middle', async () => {
  const client = new AbortController()
  let isEnded = false
  const own = await openEngine(function* () {
    client.abort()
    try {
      for (;;) yield
    } finally {
      isEnded = true
    }
  })
  await expect(namesOf(own, client.signal)).rejects.toMatchObject({ sqlState: '57014' })
  expect(isEnded).toBe(true)
})

test('equal statements may be planned at the same time', async () => {
  let begun = 0
  const own = await openEngine(function* () {
    begun += 1
    while (begun < 2) yield
  })
  const both = await Promise.all([namesOf(own), namesOf(own)])
  expect(both).toEqual([
    ['id', 'a'],
    ['id', 'a'],
  ])
})

test('another statement is planned and answered while a long plan is made', async () => {
  let begun = 0
  let isAnswered = false
  const own = await openEngine(function* () {
    begun += 1
    if (begun === 1) while (!isAnswered) yield
  })
  const long = namesOf(own)
  const short = { sql: 'select 1', params: [], method: 'all', meta: false } as const
  await own.query({ ...short, signal: undefined }, admin)
  isAnswered = true
  expect(await long).toEqual(['id', 'a'])
})
