/** @module PostgreSQL's clients and their expected results. Start at `wireClients`. */
export { wireClients } from './clients.ts'
export { type EnumSession, enumClients, enumTables } from './enum-clients.ts'
export { driverJar, python } from './find-clients.ts'
export { type PsqlAnswer, type PsqlOptions, runPsql } from './psql/run-psql.ts'
export {
  applies,
  type CheckResult,
  type DeclaredCheck,
  type Need,
  type WireClient,
} from './wire-check.ts'
export { createPostgresWireFixture, createSqliteWireFixture, wireTables } from './wire-fixture.ts'
export { urlOf, type WireSurroundings, type WireTarget } from './wire-target.ts'
