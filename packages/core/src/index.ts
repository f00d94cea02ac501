/** @module The query engine: SQL in, permitted rows out. */
export type {
  Adapter,
  AdapterFactory,
  ConnectionOptions,
  Execution,
  ResultSet,
  Session,
  TransactionOptions,
} from './adapter.ts'
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
} from './bind/bound-query.ts'
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
  OldCondition,
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
} from './bind/expression.ts'
export {
  isWrite,
  mapExpression,
  mapFromItem,
  mapQuery,
  mapStatement,
  mapWrite,
  type Rewriter,
} from './bind/map-query.ts'
export { sameExpression } from './bind/same-expression.ts'
export type { SecuredTable } from './bind/secured-table.ts'
export {
  freeRelations,
  freeRelationsOf,
  type Visitor,
  visitExpression,
  visitFromItem,
  visitQuery,
  visitStatement,
  visitWrite,
} from './bind/visit-query.ts'
export { isVolatile } from './bind/volatility.ts'
export { admin, anonymous, type Caller, type CallerFields } from './caller.ts'
export type {
  Catalog,
  Column,
  Connection,
  ConnectionKind,
  ForeignKey,
  Relationship,
  RelationshipType,
  Table,
} from './catalog/catalog.ts'
export type {
  IntrospectedColumn,
  IntrospectedTable,
  Introspection,
} from './catalog/introspection.ts'
export type { Config } from './config/config.ts'
export { invalidConfiguration, parseConfig } from './config/parse-config.ts'
export type { JwtSettings, Limits, Settings } from './config/settings.ts'
export { createEngine, type Engine, type EngineOptions } from './engine.ts'
export { GatewayError, type GatewayErrorOptions, type Problem } from './errors.ts'
export {
  createArrayEncoder,
  createObjectEncoder,
  type EncodedColumn,
  type RowEncoder,
} from './execute/encode-row.ts'
export { type Explanation, explainSqlState } from './execute/explain-sql-state.ts'
export { type Log, silentLog } from './log.ts'
export type { AuthorizedStatement } from './permissions/authorized.ts'
export type { Fault } from './permissions/faults.ts'
export type { Filter } from './permissions/filter.ts'
export { definePermission, type Permission } from './permissions/permission.ts'
export type { CompiledStatement, PlanStep, ResultColumn } from './plan/plan.ts'
export { columnName, cteName, relationName } from './print/names.ts'
export {
  clauses,
  commaList,
  deferred,
  identifier,
  integer,
  joinSql,
  keyword,
  memberName,
  operatorSymbol,
  type PlaceholderStyle,
  parameter,
  qualifiedName,
  type RenderedSql,
  renderSql,
  type Sql,
  sql,
} from './print/sql-writer.ts'
export { unsupportedConstruct } from './print/unsupported.ts'
export type { BatchRequest } from './run-batch.ts'
export type { QueryAnswer, QueryRequest } from './run-query.ts'
export { oids } from './sql-types/oids.ts'
export type {
  Oid,
  PgFunction,
  PgFunctionColumn,
  PgOperator,
  PgType,
  PgTypeKind,
} from './sql-types/pg-type.ts'
export type { SqlType } from './sql-types/sql-type.ts'
export { createTypeSystem, type TypeSystem, type TypeSystemExtra } from './sql-types/type-system.ts'
export {
  encodeTypmod,
  fractionDigitsOfTypmod,
  intervalFieldsOfTypmod,
  lengthOfTypmod,
  noTypmod,
  numericOfTypmod,
} from './sql-types/typmod.ts'
export type { ScalarWireKind, WireKind } from './sql-types/wire-kind.ts'
export { unreachable } from './unreachable.ts'
export type { CallerSlot, SqlValue, ValueSource } from './value-source.ts'
