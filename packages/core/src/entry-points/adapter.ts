/** @module For adapters: the interface between the engine and one kind of database, the statement that it compiles, and tools for printing it. */

// The interface.

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

export type { DatabaseKind, ScalarWireKind } from '@engine/contract'
export {
  type DatabaseTraits,
  type KnownTraits,
  knownTraits,
  type PlanFormat,
} from '../compiler/catalog/database-traits.ts'

// Introspection and the catalog.

export type {
  Catalog,
  Check,
  Column,
  ColumnSequence,
  Connection,
  ForeignKey,
  Index,
  IndexKey,
  IndexMethod,
  IndexOrder,
  ListedValue,
  ListedValues,
  ReferentialAction,
  Relationship,
  RelationshipType,
  Table,
} from '../compiler/catalog/catalog.ts'
export { checkTokens } from '../compiler/catalog/check-tokens.ts'
export {
  type CheckedValues,
  checkedValues,
  listedByChecks,
  valuesOfChecks,
  valuesOfConstraint,
} from '../compiler/catalog/checked-values.ts'
export type {
  ColumnTypeFault,
  IntrospectedColumn,
  IntrospectedForeignKey,
  IntrospectedPartition,
  IntrospectedTable,
  Introspection,
} from '../compiler/catalog/introspection.ts'
export { isSelected, type TableSelection } from '../compiler/catalog/table-selection.ts'
export { triggerColumns } from '../compiler/catalog/trigger-columns.ts'
export type {
  IndexPart,
  NamedSql,
  NativeSql,
  UniqueIndex,
} from '../compiler/catalog/unique-index.ts'

// The statement to compile.

export type {
  Assignment,
  BoundStatement,
  CommonTable,
  ConflictIndex,
  ConflictPart,
  ConflictTarget,
  CountedWrites,
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
  RepeatedRows,
  Returning,
  SelectQuery,
  SetQuery,
  SortKey,
  SubqueryItem,
  TableItem,
  Traversal,
  UpdateWrite,
  ValuesQuery,
  Write,
  WriteSecurity,
  WriteTarget,
} from '../compiler/bind/tree/bound-query.ts'
export type { OldCondition } from '../compiler/bind/tree/expression.ts'
export type { SecuredTable } from '../compiler/bind/tree/secured-table.ts'
export type { AuthorizedStatement } from '../compiler/permissions/authorize/authorized.ts'

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
} from '../compiler/bind/tree/expression.ts'

// Walking and rewriting it.

export { partsOf } from '../compiler/bind/tree/expression-parts.ts'
export { isWrite, mapExpression } from '../compiler/bind/tree/map-query.ts'
export { drawnValuesOf, nextValuesOf } from '../compiler/bind/tree/next-value.ts'
export { isPlainInsert } from '../compiler/bind/tree/plain-insert.ts'
export { isRowIndependent } from '../compiler/bind/tree/row-independent.ts'
export { rowsOf } from '../compiler/bind/tree/rows-of.ts'
export { sameExpression } from '../compiler/bind/tree/same-expression.ts'
export { type StatementSettings, usualSettings } from '../compiler/bind/tree/statement-settings.ts'
export {
  freeRelations,
  freeRelationsOf,
  type Visitor,
  visitExpression,
  visitQuery,
} from '../compiler/bind/tree/visit-query.ts'
export { isVolatile, isVolatileQuery, mayOutlastItself } from '../compiler/bind/tree/volatility.ts'

// Lowering: from PostgreSQL's constructs to those of other databases.

export { currentRow } from '../compiler/bind/tree/current-row.ts'
export { hasPart } from '../compiler/bind/tree/query-level.ts'
export { sampleMethod, type TableSample } from '../compiler/bind/tree/table-sample.ts'
export type { LoweringDialect } from '../compiler/lower/dialect.ts'
export { rowLimit, rowsOfQuery, singleRow } from '../compiler/lower/internal-functions.ts'
export { lowerInSteps, lowerStatement } from '../compiler/lower/lower-statement.ts'
export { type Recursion, recursionOf } from '../compiler/lower/recursion.ts'
export { usedColumns } from '../compiler/lower/used-columns.ts'

// Printing.

export { unsupportedConstruct } from '../compiler/bind/tree/unsupported.ts'
export {
  changedTables,
  hasSubquery,
  readsOneOf,
  readsTable,
  refersToItself,
} from '../compiler/bind/tree/written-table.ts'
export { hasBoundedLength, type PartFacts } from '../compiler/print/bounded-text.ts'
export { type ForeignColumn, foreignColumns, withKept } from '../compiler/print/foreign-columns.ts'
export { literalDefault } from '../compiler/print/literal-default.ts'
export { markVolatile } from '../compiler/print/mark-volatile.ts'
export { columnName, cteName, relationName } from '../compiler/print/names.ts'
export {
  boundToLevel,
  catalogSql,
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
  renderInSteps,
  renderSql,
  repeatedRows,
  rewriteSql,
  type Sql,
  sql,
} from '../compiler/print/sql-writer.ts'
export {
  classOf,
  isFloat,
  isInteger,
  lengthOfType,
  scaleOfType,
  type TypeClass,
} from '../compiler/print/type-class.ts'

// The base of printers for other databases.

export { groupedByOutputs, overDerivedTable } from '../compiler/print/distinct-as-groups.ts'
export {
  allOf,
  commonPrinters,
  type ExpressionPrinters,
  joinConditions,
  type PrintedKind,
  printByKind,
} from '../compiler/print/expression-printers.ts'
export {
  derivedColumn,
  type FromPrinters,
  printFromItem,
  registerItem,
  tableCount,
} from '../compiler/print/from-printers.ts'
export { canBeNull, totalOperators } from '../compiler/print/nullability.ts'
export { scaleOfOperator, scaleOfText } from '../compiler/print/numeric-scale.ts'
export {
  isComparison,
  type PatternPrinters,
  printPatternOperator,
  queryOf,
} from '../compiler/print/operator-printers.ts'
export {
  aliasOf,
  classOfType,
  type PrintedQuery,
  type PrinterContext,
  relationOf,
  startContext,
} from '../compiler/print/printer-context.ts'
export {
  columnNames,
  columnsOf,
  groupingKeys,
  hasTail,
  type SortedExpression,
  sortedColumn,
  sortedExpressions,
} from '../compiler/print/query-parts.ts'
export {
  columnsOfCte,
  cteHead,
  printQueryBody,
  printWith,
  type QueryPrinters,
} from '../compiler/print/query-printers.ts'
export { type ComparisonKeys, printRowComparison } from '../compiler/print/row-comparison.ts'
export { sameType } from '../compiler/print/same-type.ts'
export {
  baseColumns,
  type CellTable,
  type CellTableParts,
  columnAt,
  isOpen,
  type PrintedTable,
  printCellTable,
  printOpenTable,
  type TableDialect,
} from '../compiler/print/secured-table.ts'
export { requireCaps, type StatementCaps } from '../compiler/print/statement-caps.ts'
export { hasOneForm } from '../compiler/print/type-class.ts'
export {
  anyValue,
  type PrintedColumn,
  type RelationColumns,
  type ValueProperties,
} from '../compiler/print/value-properties.ts'

// The compiled statement.

export type { Operation } from '../compiler/catalog/operation.ts'
export { explainingStep } from '../compiler/plan/explaining-step.ts'
export {
  type CompiledStatement,
  type PlanStep,
  type ResultColumn,
  sqlOf,
} from '../compiler/plan/plan.ts'
export type { SqlValue, ValueSource } from '../compiler/sql-types/value-source.ts'

// Executing it.

export { abortable } from '../foundation/abortable.ts'
export { finishing, started } from '../foundation/finishing.ts'
export { type Cancelling, cancelUntilEnded } from '../runtime/adapter/cancel-until-ended.ts'
export { compileInSteps, compileOf } from '../runtime/adapter/compile-in-steps.ts'
export {
  type DeferredCommands,
  deferBegin,
  isReadCommitted,
} from '../runtime/adapter/deferred-begin.ts'
export {
  createArrayEncoder,
  createObjectEncoder,
  type EncodedColumn,
  type RowEncoder,
} from '../runtime/adapter/encode-row.ts'
export {
  createLatencyEstimate,
  type LatencyEstimate,
} from '../runtime/adapter/pipelines/latency-estimate.ts'
export { createPipelines, type Pipelines } from '../runtime/adapter/pipelines/pipelines.ts'
export type { Queued, QueueingSession } from '../runtime/adapter/pipelines/queueing-session.ts'
export { retryReads } from '../runtime/adapter/retry-reads.ts'
export { runTransaction, type TransactionCommands } from '../runtime/adapter/transaction-body.ts'
export {
  createWaitingLine,
  type Waiter,
  type WaitingLine,
} from '../runtime/adapter/waiting-line.ts'
export { createWatchdog, type Watchdog } from '../runtime/adapter/watchdog.ts'

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
export { type Log, silentLog } from '../foundation/log.ts'
export { runSteps, type Steps } from '../foundation/steps.ts'
export { unreachable } from '../foundation/unreachable.ts'
export {
  type Explanation,
  explainSqlState,
  isAboutStatement,
} from '../runtime/adapter/explain-sql-state.ts'

// Types of PostgreSQL.

export { oids } from '../compiler/sql-types/oids.ts'
export type {
  Oid,
  PgCast,
  PgFunction,
  PgFunctionColumn,
  PgOperator,
  PgType,
  PgTypeKind,
} from '../compiler/sql-types/pg-type.ts'
export type { SqlType } from '../compiler/sql-types/sql-type.ts'
export {
  builtinCasts,
  builtinFunctions,
  builtinOperators,
  builtinTypes,
} from '../compiler/sql-types/system/builtin-catalog.ts'
export { createTypeSystem, type TypeSystem } from '../compiler/sql-types/system/type-system.ts'
export {
  encodeTypmod,
  fractionDigitsOfTypmod,
  intervalFieldsOfTypmod,
  lengthOfTypmod,
  noTypmod,
  numericOfTypmod,
} from '../compiler/sql-types/typmod.ts'
export type { WireKind } from '../compiler/sql-types/wire-kind.ts'

// The service database on this kind of database.

export type { PlanLineOptions } from '../compiler/plan/plan-options.ts'
export {
  type ServiceConnection,
  type ServiceDatabase,
  type ServiceDatabaseFactory,
  type ServiceDatabaseOptions,
  type ServiceResult,
  serviceStatementTimeoutMs,
  serviceWaitMs,
} from '../service/store/service-database.ts'
export type { StoreValue } from '../service/store/store.ts'
