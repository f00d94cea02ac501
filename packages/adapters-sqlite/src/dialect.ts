/**
 * @module SQLite's dialect without its driver: for adapters of other databases with the same dialect. It loads no native code.
 */
export { compile, compileInSteps } from './compile.ts'
export { sqlStateOfCode } from './connection/fault.ts'
export { sqlStateOf } from './functions/register/sql-error.ts'
export { type IntrospectOptions, introspectedTables } from './introspect.ts'
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
export { programOf } from './make-program.ts'
export type { Target } from './print/step/make-step.ts'
export type { Program, ProgramStep } from './program.ts'
export { sqliteTraits } from './sqlite-traits.ts'
export { bindValue, realText } from './values/bind-value.ts'
export { violationOf } from './violation.ts'
