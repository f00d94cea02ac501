/** @module For adapters: the interface between the engine and one kind of database. */

// The interface.

export type { DatabaseKind, ScalarWireKind } from '@engine/contract'
export type { ZoneRules } from '../compiler/sql-types/time-zone/zone-rules.ts'
export type { AdapterOptions } from '../config/options/adapter-options.ts'
export type {
  Adapter,
  AdapterChannels,
  AdapterFactory,
  AdapterPackage,
  Cells,
  Compile,
  ConfiguredTypes,
  ConnectionOptions,
  Cursor,
  Execution,
  IsolationLevel,
  OnNotification,
  PoolState,
  ResultSet,
  RowReceiver,
  RowShape,
  Session,
  TransactionOptions,
} from '../runtime/adapter/adapter.ts'
export { withOptions } from '../runtime/adapter/with-options.ts'

// Properties of a database.

export {
  type DatabaseTraits,
  type KnownTraits,
  knownTraits,
  type PlanFormat,
} from '../compiler/catalog/database-traits.ts'

// What it says of its tables.

export type {
  ColumnTypeFault,
  IntrospectedColumn,
  IntrospectedForeignKey,
  IntrospectedPartition,
  IntrospectedTable,
  Introspection,
} from '../compiler/catalog/introspection.ts'
export { isSelected, type TableSelection } from '../compiler/catalog/table-selection.ts'

// The statement to compile, and the compiled one.

export type { Operation } from '../compiler/catalog/operation.ts'
export type { AuthorizedStatement } from '../compiler/permissions/authorize/authorized.ts'
export {
  type CompiledStatement,
  type PlanStep,
  type ResultColumn,
  sqlOf,
} from '../compiler/plan/plan.ts'
export type { SqlValue, ValueSource } from '../compiler/sql-types/value-source.ts'
export { compileInSteps, compileOf } from '../runtime/adapter/compile-in-steps.ts'

// Errors of databases.

export {
  afterWrite,
  cancelled,
  checkFailed,
  connectionLost,
  isConnectionLost,
  misfit,
  noAnswer,
  unreachableDatabase,
} from '../foundation/adapter-errors.ts'
export {
  type DatabaseReport,
  GatewayError,
  type Problem,
  type Violation,
} from '../foundation/errors.ts'
export {
  type Explanation,
  explainSqlState,
  isAboutStatement,
} from '../runtime/adapter/explain-sql-state.ts'

// Logs.

export { type Log, silentLog } from '../foundation/log.ts'
