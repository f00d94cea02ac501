/**
 * @module SQLite's dialect without its driver: for adapters of other databases with the same dialect. It loads no native code.
 */
export { compile, compileInSteps } from './compile.ts'
export { programOf } from './driver/make-program.ts'
export type { Program, ProgramStep } from './driver/program.ts'
export { sqlStateOfCode } from './errors/fault.ts'
export { violationOf } from './errors/violation.ts'
export { sqlStateOf } from './functions/register/sql-error.ts'
export { type IntrospectOptions, introspectedTables } from './introspection/introspect.ts'
export { hasRowidAlias, primaryKeyOf, rowidNameOf } from './introspection/keys.ts'
export { plainIndexesOf, plainIndexesQuery } from './introspection/plain-indexes.ts'
export { sampleSql, samplesOf } from './introspection/sample-sql.ts'
export type {
  ColumnFacts,
  ForeignKeyFacts,
  IndexFacts,
  PlainIndexFacts,
  SchemaFacts,
  TableFacts,
} from './introspection/schema-facts.ts'
export { uniqueIndexesOf, uniqueIndexesQuery } from './introspection/unique-indexes.ts'
export type { Target } from './print/step/make-step.ts'
export { sqliteTraits } from './traits.ts'
export { bindValue, realText } from './values/bind-value.ts'
