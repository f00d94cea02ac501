/** @module For adapters and servers: the tables of a database, and PostgreSQL's types, functions and operators. */

// The catalog.

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
export type {
  IndexPart,
  NamedSql,
  NativeSql,
  UniqueIndex,
} from '../compiler/catalog/unique-index.ts'

// Conditions and triggers of tables.

export { checkTokens } from '../compiler/catalog/check-tokens.ts'
export {
  type CheckedValues,
  checkedValues,
  listedByChecks,
  valuesOfChecks,
  valuesOfConstraint,
} from '../compiler/catalog/checked-values.ts'
export { triggerColumns } from '../compiler/catalog/trigger-columns.ts'

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
