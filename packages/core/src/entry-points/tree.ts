/** @module For adapters: the statement that they compile, its expressions, and ways to walk them. */

// The statement.

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
export { currentRow } from '../compiler/bind/tree/current-row.ts'
export type { OldCondition } from '../compiler/bind/tree/expression.ts'
export type { SecuredTable } from '../compiler/bind/tree/secured-table.ts'
export { type StatementSettings, usualSettings } from '../compiler/bind/tree/statement-settings.ts'
export { sampleMethod, type TableSample } from '../compiler/bind/tree/table-sample.ts'

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
export { hasPart } from '../compiler/bind/tree/query-level.ts'
export { isRowIndependent } from '../compiler/bind/tree/row-independent.ts'
export { rowsOf } from '../compiler/bind/tree/rows-of.ts'
export { sameExpression } from '../compiler/bind/tree/same-expression.ts'
export { unsupportedConstruct } from '../compiler/bind/tree/unsupported.ts'
export {
  freeRelations,
  freeRelationsOf,
  type Visitor,
  visitExpression,
  visitQuery,
} from '../compiler/bind/tree/visit-query.ts'
export { isVolatile, isVolatileQuery, mayOutlastItself } from '../compiler/bind/tree/volatility.ts'
export {
  changedTables,
  hasSubquery,
  readsOneOf,
  readsTable,
  refersToItself,
} from '../compiler/bind/tree/written-table.ts'
