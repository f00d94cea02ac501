/**
 * @module The requirements for every adapter, as one suite that each adapter's tests run.
 *
 * @example
 * adapterConformance('SQLite', async () => ({ connection: path, connect, … }))
 */
export { adapterConformance, type ConformanceOptions } from './adapter-conformance.ts'
export { type JoinSubject, lateralJoins } from './join-tests.ts'
export { type LossSubject, serverConnectionLoss } from './server-loss-tests.ts'
export { executionOf, type ServerDialect, type ServerSubject } from './server-subject.ts'
export { serverTimeouts } from './server-timeout-tests.ts'
export { serverTransactions } from './server-transaction-tests.ts'
export type { ConformanceSubject } from './subject.ts'
