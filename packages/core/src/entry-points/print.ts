/** @module For adapters: lowering a statement to what a database has, and printing it. */

// Lowering: from PostgreSQL's constructs to those of other databases.

export type { LoweringDialect } from '../compiler/lower/dialect.ts'
export { rowLimit, rowsOfQuery, singleRow } from '../compiler/lower/internal-functions.ts'
export { lowerInSteps, lowerStatement } from '../compiler/lower/lower-statement.ts'
export { type Recursion, recursionOf } from '../compiler/lower/recursion.ts'
export { usedColumns } from '../compiler/lower/used-columns.ts'

// Printing.

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
  hasOneForm,
  isFloat,
  isInteger,
  lengthOfType,
  scaleOfType,
  type TypeClass,
} from '../compiler/print/type-class.ts'
export { runSteps, type Steps } from '../foundation/steps.ts'

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
export {
  anyValue,
  type PrintedColumn,
  type RelationColumns,
  type ValueProperties,
} from '../compiler/print/value-properties.ts'
