/**
 * @module Operations in the form of client programs, run directly and through the gateway, and compared.
 * Start at `suites`.
 */
export { compareProgram, type Outcome, type ProgramReport, type Sides } from './compare-program.ts'
export { openDirectPool } from './direct.ts'
export { formatReport } from './format-report.ts'
export { clientOf, type Gateway } from './gateway.ts'
export { createPostgresReset } from './postgres-reset.ts'
export type { Expectation, Program } from './program.ts'
export { type Run, runPrograms } from './run-programs.ts'
export { scratchTables } from './scratch-tables.ts'
export type { ProgramSummary, Setting, Suite } from './suite.ts'
export { suites } from './suites.ts'
export { wireTypes } from './wire-types.ts'
