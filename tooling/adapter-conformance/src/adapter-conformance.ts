import { createEngine, type Engine } from '@engine/core'
import { afterAll, beforeAll, describe } from 'vitest'
import { introspectionTests } from './introspection-tests.ts'
import { limitTests } from './limit-tests.ts'
import { reconnectTests } from './reconnect-tests.ts'
import { recordedTests } from './recorded-tests.ts'
import type { ConformanceSubject } from './subject.ts'
import { transactionTests } from './transaction-tests.ts'
import { valueTests } from './value-tests.ts'
import { writeTests } from './write-tests.ts'

/** Milliseconds after which a statement is stopped in these tests. */
const queryTimeout = 1_500

export interface ConformanceOptions {
  /** Ids of recorded queries that the adapter refuses: it has no faithful form for them. */
  readonly refused?: ReadonlySet<string>
  /** The database is another process, to which connections can break: `ConformanceSubject.cut` is there. */
  readonly isRemote?: boolean
}

/**
 * Defines the tests that every adapter must pass: introspection, values, writes, transactions, limits, broken connections,
 * and what PostgreSQL answers.
 *
 * @param name of the database, for the report.
 * @param open makes a database with the shop in it; called once.
 */
export function adapterConformance(
  name: string,
  open: () => Promise<ConformanceSubject>,
  { refused = new Set(), isRemote = false }: ConformanceOptions = {},
): void {
  describe(`${name}: what every adapter does`, () => {
    let subject: ConformanceSubject
    let engine: Engine

    beforeAll(async () => {
      subject = await open()
      const { connection, adapterPackage, connect } = subject
      engine = await createEngine(
        { connections: { main: connection }, limits: { queryTimeout, maxRows: 5_000 } },
        { adapters: { [adapterPackage]: connect } },
      )
    })
    afterAll(async () => {
      await engine?.close()
      await subject?.remove()
    })

    const opened = { engine: () => engine, reset: () => subject.reset() }
    const cut = async () => {
      if (subject.cut === undefined) throw new Error('a remote database has to be cut')
      await subject.cut()
    }
    introspectionTests(opened)
    valueTests(opened)
    writeTests(opened)
    transactionTests(opened)
    limitTests(opened)
    if (isRemote) reconnectTests(opened, cut)
    recordedTests(opened, refused)
  })
}

/** What the groups of tests share; only to be called inside a test. */
export interface Opened {
  readonly engine: () => Engine
  readonly reset: () => Promise<void>
}
