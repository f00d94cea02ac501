/** @module For adapters: the interface between the engine and one kind of database, the statement that it compiles, and tools for printing it. */

// The interface.

export type {
  Adapter,
  AdapterFactory,
  AdapterPackage,
  Cells,
  ConfiguredTypes,
  ConnectionOptions,
  Cursor,
  Execution,
  IsolationLevel,
  PlanLineOptions,
  PoolState,
  ResultSet,
  RowReceiver,
  RowShape,
  Session,
  TransactionOptions,
} from '../adapter.ts'

// What a database is like.

export type { DatabaseKind } from '@engine/contract'
export {
  type DatabaseTraits,
  type KnownTraits,
  knownTraits,
  type PlanFormat,
} from '../catalog/database-traits.ts'

// Introspection and the catalog.

export type {
  Catalog,
  Check,
  Column,
  Connection,
  ForeignKey,
  Index,
  IndexOrder,
  ReferentialAction,
  Relationship,
  RelationshipType,
  Table,
} from '../catalog/catalog.ts'
export type {
  ColumnTypeFault,
  IntrospectedColumn,
  IntrospectedTable,
  Introspection,
} from '../catalog/introspection.ts'
export { isSelected, type TableSelection } from '../catalog/table-selection.ts'
export { triggerColumns } from '../catalog/trigger-columns.ts'

// The statement to compile.

export type {
  Assignment,
  BoundStatement,
  CommonTable,
  CteId,
  CteItem,
  DefaultCell,
  DeleteWrite,
  FromItem,
  FunctionItem,
  GroupBy,
  InsertSource,
  InsertWrite,
  JoinItem,
  Limit,
  Locking,
  OnConflict,
  OutputColumn,
  Query,
  RelationId,
  Returning,
  SelectQuery,
  SetQuery,
  SortKey,
  SubqueryItem,
  TableItem,
  UpdateWrite,
  ValuesQuery,
  Write,
  WriteSecurity,
  WriteTarget,
} from '../bind/bound-query.ts'
export type { OldCondition } from '../bind/expression.ts'
export type { SecuredTable } from '../bind/secured-table.ts'
export type { AuthorizedStatement } from '../permissions/authorized.ts'

// Its expressions.

export type {
  Aggregate,
  ArrayConstructor,
  ArraySection,
  ArraySubquery,
  BooleanTest,
  CallerValue,
  Case,
  Cast,
  Coalesce,
  Collate,
  ColumnReference,
  ComparisonName,
  Constant,
  DistinctTest,
  Exists,
  Expression,
  Extremum,
  FrameBound,
  FunctionCall,
  Grouping,
  InList,
  Logical,
  Not,
  NullIf,
  NullTest,
  OperatorCall,
  OutputReference,
  Parameter,
  QuantifiedArray,
  QuantifiedSubquery,
  RequestTime,
  Row,
  RowComparison,
  ScalarSubquery,
  Subscript,
  SubscriptStep,
  WholeRow,
  WindowCall,
  WindowFrame,
} from '../bind/expression.ts'

// Walking and rewriting it.

export { partsOf } from '../bind/expression-parts.ts'
export { isWrite, mapExpression } from '../bind/map-query.ts'
export { sameExpression } from '../bind/same-expression.ts'
export {
  freeRelations,
  freeRelationsOf,
  type Visitor,
  visitExpression,
  visitQuery,
} from '../bind/visit-query.ts'
export { isVolatile, isVolatileQuery, mayOutlastItself } from '../bind/volatility.ts'

// Lowering: from what PostgreSQL can say to what other databases can say.

export type { LoweringDialect } from '../lower/dialect.ts'
export { rowLimit, rowsOfQuery, singleRow } from '../lower/internal-functions.ts'
export { hasPart } from '../lower/level.ts'
export { lowerStatement } from '../lower/lower-statement.ts'
export { type Recursion, recursionOf } from '../lower/recursion.ts'
export { usedColumns } from '../lower/used-columns.ts'

// Printing.

export { type ForeignColumn, foreignColumns, withKept } from '../print/foreign-columns.ts'
export { literalDefault } from '../print/literal-default.ts'
export { markVolatile } from '../print/mark-volatile.ts'
export { isModest, type ModestFacts } from '../print/modest.ts'
export { columnName, cteName, relationName } from '../print/names.ts'
export {
  boundToLevel,
  clauses,
  commaList,
  copiedByDatabase,
  deferred,
  identifier,
  integer,
  joinSql,
  keyword,
  memberName,
  type NameQuote,
  operatorSymbol,
  ownLevel,
  type PlaceholderStyle,
  parameter,
  qualifiedName,
  type RenderedSql,
  renderSql,
  rewriteSql,
  type Sql,
  sql,
} from '../print/sql-writer.ts'
export {
  classOf,
  isFloat,
  isInteger,
  lengthOfType,
  scaleOfType,
  type TypeClass,
} from '../print/type-class.ts'
export { unsupportedConstruct } from '../print/unsupported.ts'
export { hasSubquery, readsTable, refersToItself } from '../print/written-table.ts'

// The compiled statement.

export type { Operation } from '../catalog/operation.ts'
export { explainingStep } from '../plan/explaining-step.ts'
export type { CompiledStatement, PlanStep, ResultColumn } from '../plan/plan.ts'
export type { SqlValue, ValueSource } from '../value-source.ts'

// Executing it.

export { abortable } from '../execute/abortable.ts'
export {
  createArrayEncoder,
  createObjectEncoder,
  type EncodedColumn,
  type RowEncoder,
} from '../execute/encode-row.ts'
export { beginLate, isReadCommitted, type LateCommands } from '../execute/late-transaction.ts'
export { retryReads } from '../execute/retry-reads.ts'
export { runTransaction, type TransactionCommands } from '../execute/transaction-body.ts'

// Errors of databases.

export { type DatabaseReport, GatewayError, type Problem, type Violation } from '../errors.ts'
export {
  cancelled,
  checkFailed,
  connectionLost,
  isConnectionLost,
  misfit,
  noAnswer,
  unreachableDatabase,
} from '../execute/adapter-errors.ts'
export {
  type Explanation,
  explainSqlState,
  isAboutStatement,
} from '../execute/explain-sql-state.ts'
export { type Log, silentLog } from '../log.ts'
export { unreachable } from '../unreachable.ts'

// Types of PostgreSQL.

export {
  builtinCasts,
  builtinFunctions,
  builtinOperators,
  builtinTypes,
} from '../sql-types/builtin-catalog.ts'
export { oids } from '../sql-types/oids.ts'
export type {
  Oid,
  PgCast,
  PgFunction,
  PgFunctionColumn,
  PgOperator,
  PgType,
  PgTypeKind,
} from '../sql-types/pg-type.ts'
export type { SqlType } from '../sql-types/sql-type.ts'
export { createTypeSystem, type TypeSystem } from '../sql-types/type-system.ts'
export {
  encodeTypmod,
  fractionDigitsOfTypmod,
  intervalFieldsOfTypmod,
  lengthOfTypmod,
  noTypmod,
  numericOfTypmod,
} from '../sql-types/typmod.ts'
export type { ScalarWireKind, WireKind } from '../sql-types/wire-kind.ts'

// The service database on this kind of database.

export {
  type ServiceConnection,
  type ServiceDatabase,
  type ServiceDatabaseFactory,
  type ServiceDatabaseOptions,
  type ServiceResult,
  type StoreValue,
  serviceStatementTimeoutMs,
  serviceWaitMs,
} from '../store/service-database.ts'
