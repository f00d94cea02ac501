/** @module PostgreSQL statements over the fixture, as data, and the answers of a real PostgreSQL. */
export { type BadInputCase, badInputCases } from './bad-input/index.ts'
export type { JsonValue, QueryCase, RejectedCase, WriteCase, WriteStep } from './case.ts'
export { canonicalText, compareRows } from './compare-rows.ts'
export {
  type DirectConnection,
  type DirectResult,
  describeStatement,
  expectedRows,
  openDirect,
  queryDirect,
  type StatementDescription,
} from './direct.ts'
export { type StepOutcome, sqlstateOf, type WriteOutcome, writeDirect } from './direct-writes.ts'
export { queryCases } from './queries/index.ts'
export { rejectedCases } from './rejected/index.ts'
export {
  type BadInputFinding,
  type BadInputSubject,
  canaryBody,
  runBadInput,
} from './run-bad-input.ts'
export {
  type CorpusAnswer,
  type CorpusReport,
  type CorpusSelection,
  type CorpusSubject,
  type Finding,
  formatReport,
  percent,
  type Refusal,
  runCorpus,
} from './run-corpus.ts'
export { type ElementTypes, wireValue } from './wire-value.ts'
export { writeCases } from './writes/index.ts'
