import { admin, createEngine, type Engine, GatewayError } from '@engine/core'
import type { Adapter, AdapterFactory, AdapterPackage, Execution } from '@engine/core/adapter'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cellTests } from './cell-tests.ts'
import { enforcementTests } from './enforcement-tests.ts'
import { introspectionTests } from './introspection-tests.ts'
import { limitTests } from './limit-tests.ts'
import type { Feature, Opened } from './opened.ts'
import { reconnectTests } from './reconnect-tests.ts'
import { recordedTests } from './recorded-tests.ts'
import { sessionTests } from './session-tests.ts'
import type { ConformanceSubject } from './subject.ts'
import { transactionTests } from './transaction-tests.ts'
import { valueTests } from './value-tests.ts'
import { writeTests } from './write-tests.ts'

/** Milliseconds after which a statement is stopped in these tests. */
const queryTimeout = 1_500

export interface ConformanceOptions {
  /** Ids of recorded queries and titles of tests that the adapter refuses: it has no equivalent SQL for them. */
  readonly refused?: ReadonlySet<string>
  /** Features that this kind of database does not have; tests that need them are skipped. */
  readonly lacks?: ReadonlySet<Feature>
  /** Ids and titles of tests that are skipped, since this kind of database cannot store their data. */
  readonly inapplicable?: ReadonlySet<string>
  /** The database is another process, and connections to it can break: `ConformanceSubject.cut` exists. */
  readonly isRemote?: boolean
}

/** The adapter with another factory; its name, its schemes and the check of its options are as they are. */
function withFactory(
  connect: AdapterFactory | AdapterPackage,
  change: (factory: AdapterFactory) => AdapterFactory,
): AdapterFactory | AdapterPackage {
  const changed = (factory: AdapterFactory): AdapterFactory =>
    Object.assign(change(factory), { options: factory.options })
  return typeof connect === 'function'
    ? changed(connect)
    : { ...connect, connect: changed(connect.connect) }
}

/**
 * Defines the tests that every adapter must pass: introspection, values, writes, transactions, limits, broken
 * connections, and PostgreSQL's answers.
 *
 * @param name of the database, for the report.
 * @param open creates a database with the shop; called once.
 */
export function adapterConformance(
  name: string,
  open: () => Promise<ConformanceSubject>,
  {
    refused = new Set(),
    lacks = new Set(),
    inapplicable = new Set(),
    isRemote = false,
  }: ConformanceOptions = {},
): void {
  describe(`${name}: what every adapter does`, () => {
    let subject: ConformanceSubject
    let engine: Engine
    let adapter: Adapter
    let last: Execution | undefined

    const openEngine: Opened['openEngine'] = (config) => {
      const { connection, adapterPackage, connect } = subject
      return createEngine(
        { connections: { main: connection }, limits: { queryTimeout, maxRows: 5_000 }, ...config },
        { adapters: { [adapterPackage]: connect } },
      )
    }
    beforeAll(async () => {
      subject = await open()
      const { connection, adapterPackage, connect } = subject
      engine = await createEngine(
        { connections: { main: connection }, limits: { queryTimeout, maxRows: 5_000 } },
        {
          adapters: {
            [adapterPackage]: withFactory(connect, (factory) => (options) => {
              adapter = factory(options)
              const execute: Adapter['execute'] = (execution) => {
                last = execution
                return adapter.execute(execution)
              }
              return { ...adapter, execute }
            }),
          },
        },
      )
    })
    afterAll(async () => {
      await engine?.close()
      await subject?.remove()
    })

    const check: Opened['check'] = (title, body) => {
      if (inapplicable.has(title)) return
      test(refused.has(title) ? `${title}: refused` : title, async () => {
        if (!refused.has(title)) return body()
        const refusal = await body().catch((error: unknown) => error)
        expect(refusal).toBeInstanceOf(GatewayError)
        expect(refusal).toMatchObject({ code: 'BAD_REQUEST', status: 400 })
      })
    }
    const has = (feature: Feature) => !lacks.has(feature)
    const reset = async () => {
      await subject.reset()
      // Changes of files are noticed with a delay, but at once by a request for the catalog.
      if (subject.kind === 'csv') await engine.refreshCatalog()
    }
    const executionOf: Opened['executionOf'] = async (sql, params) => {
      last = undefined
      await engine.query({ sql, params, method: 'all', meta: false, signal: undefined }, admin)
      if (last === undefined) throw new Error('the statement did not reach the adapter')
      await reset()
      return last
    }
    const opened = {
      engine: () => engine,
      adapter: () => adapter,
      openEngine,
      executionOf,
      reset,
      has,
      check,
    }
    const cut = async () => {
      if (subject.cut === undefined) throw new Error('a remote database has to be cut')
      await subject.cut()
    }
    introspectionTests(opened)
    valueTests(opened)
    writeTests(opened)
    enforcementTests(opened)
    transactionTests(opened)
    cellTests(opened)
    sessionTests(opened, queryTimeout)
    limitTests(opened)
    if (isRemote) reconnectTests(opened, cut)
    recordedTests(opened)
  })
}
