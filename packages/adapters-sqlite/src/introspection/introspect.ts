/** @module Converts SQLite's schema to the engine's introspection. */

import type {
  ConfiguredTypes,
  IntrospectedColumn,
  IntrospectedForeignKey,
  IntrospectedTable,
  Introspection,
} from '@engine/core/adapter'
import {
  type CheckedValues,
  encodeTypmod,
  listedByChecks,
  noTypmod,
  oids,
  valuesOfChecks,
} from '@engine/core/catalog'
import { affinityOf, type DeclaredTypeName, declaredType } from './declared-type.ts'
import { columnTypeFaults, configuredType, type IntRange, intTypeFor } from './int-types.ts'
import { hasRowidAlias, primaryKeyOf, rowidNameOf } from './keys.ts'
import type { SqliteColumnNative } from './native-column.ts'
import type { ColumnFacts, SchemaFacts, TableFacts } from './schema-facts.ts'

/** What of a schema is reported, and with which types. */
export interface IntrospectOptions {
  /** Names of tables and views that are shown; undefined = all. */
  readonly include: readonly string[] | undefined
  readonly exclude: readonly string[]
  /** `declared`: integers have their declared width, whatever is stored. */
  readonly types?: 'declared' | 'inferred' | undefined
  readonly columnTypes?: ConfiguredTypes | undefined
}

/** Converts the facts of a schema to tables of an introspection. */
export function introspectedTables(
  facts: SchemaFacts,
  { include, exclude, types, columnTypes = {} }: IntrospectOptions,
): Pick<Introspection, 'tables' | 'excluded' | 'typeFaults'> {
  const isShown = ({ name }: TableFacts) =>
    (include === undefined || include.includes(name)) && !exclude.includes(name)
  const shown = facts.tables.filter(isShown)
  const byName = new Map(shown.map((table) => [table.name.toLowerCase(), table]))
  const stored = facts.tables.filter(({ kind }) => kind === 'table')
  const sources = stored.flatMap(({ columns }) => columns)
  const typeOf = (table: TableFacts, column: ColumnFacts) =>
    columnType(column, {
      wanted: configuredType(columnTypes, table.name, column.name),
      integers: types === 'declared' ? undefined : column.sample?.integers,
    })
  return {
    tables: shown.map((table) => introspectedTable(table, byName, sources, typeOf)),
    excluded: facts.tables.map(({ name }) => name).filter((name) => exclude.includes(name)),
    typeFaults: columnTypeFaults(facts.tables, columnTypes),
  }
}

type FoundType = Pick<IntrospectedColumn, 'type' | 'isTypeInferred'>
type TypeOf = (table: TableFacts, column: ColumnFacts) => FoundType

function introspectedTable(
  table: TableFacts,
  tables: ReadonlyMap<string, TableFacts>,
  sources: readonly ColumnFacts[],
  typeOf: TypeOf,
): IntrospectedTable {
  const columns =
    table.kind === 'table'
      ? table.columns
      : table.columns.map((column) => withAssumedSample(column, sources))
  const { createSql } = table
  const checked: CheckedValues = valuesOfChecks(createSql ?? '', 'sqlite')
  return {
    schema: undefined,
    name: table.name,
    kind: table.kind,
    comment: undefined,
    columns: columns.map((column) =>
      introspectedColumn(column, table, typeOf(table, column), checked),
    ),
    primaryKey: primaryKeyOf(table),
    uniqueKeys: uniqueKeysOf(table),
    foreignKeys: foreignKeysOf(table, tables),
    indexes: table.plainIndexes,
    uniqueIndexes: table.uniqueIndexes,
  }
}

/**
 * The declared type of a view's column comes from some column of a table (or from a cast): a property that all possible source
 * columns have applies to it.
 */
function withAssumedSample(column: ColumnFacts, sources: readonly ColumnFacts[]): ColumnFacts {
  const sameType = sources.filter(({ declaredType: type }) => type === column.declaredType)
  const isCanonical =
    column.declaredType !== '' && sameType.every(({ sample }) => sample?.isCanonical === true)
  const ranges = sameType
    .filter(({ name }) => name === column.name)
    .flatMap(({ sample }) => sample?.integers ?? [])
  const integers = widest(ranges)
  return { ...column, sample: { isCanonical, integers } }
}

function widest(ranges: readonly IntRange[]): IntRange | undefined {
  const limits = ranges
    .flatMap(({ min, max }) => [min, max])
    .toSorted((one, other) => (one < other ? -1 : 1))
  const [min, max] = [limits.at(0), limits.at(-1)]
  return min === undefined || max === undefined ? undefined : { min, max }
}

function introspectedColumn(
  column: ColumnFacts,
  table: TableFacts,
  found: FoundType,
  checked: CheckedValues,
): IntrospectedColumn {
  const isRowidAlias = column.keyPosition > 0 && hasRowidAlias(table)
  const native: SqliteColumnNative = {
    affinity: affinityOf(column.declaredType),
    isRowidAlias,
    rowidName: rowidNameOf(table),
    isStrict: table.isStrict,
    storesNull: column.keyPosition > 0 && !column.isNotNull && !isRowidAlias,
    isCanonical: column.sample?.isCanonical === true,
  }
  const hasDefault = column.defaultText !== undefined && !/^null$/i.test(column.defaultText)
  return {
    name: column.name,
    ...found,
    ...(!native.isCanonical && !readsAnything.has(found.type.oid) ? { mayBeUnreadable: true } : {}),
    nullable: !column.isNotNull && column.keyPosition === 0,
    hasDefault: hasDefault || isRowidAlias || column.isGenerated,
    generated: column.isGenerated ? 'always' : 'no',
    nativeType: column.declaredType,
    nativeDefault: hasDefault ? column.defaultText : undefined,
    collation: column.collation === 'BINARY' ? undefined : column.collation,
    native,
    comment: undefined,
    listed: listedByChecks([checked], column.name),
  }
}

/** Types that every stored value can be read as. */
const readsAnything: ReadonlySet<number> = new Set([oids.text, oids.varchar, oids.bytea])

function columnType(
  { declaredType: declaration }: ColumnFacts,
  {
    wanted,
    integers,
  }: { readonly wanted: DeclaredTypeName | undefined; readonly integers: IntRange | undefined },
): FoundType {
  const { name, modifiers } = declaredType(declaration)
  const fitting = wanted ?? intTypeFor(name, integers)
  const oid = oids[fitting]
  const encoded = encodeTypmod(oid, modifiers, name)
  return {
    type: { oid, typmod: encoded.ok ? encoded.typmod : noTypmod },
    ...(wanted === undefined && fitting !== name ? { isTypeInferred: true } : {}),
  }
}

/** Keys that find a row through their index. A key whose index has another collation than its column cannot. */
function uniqueKeysOf({ columns, indexes }: TableFacts): readonly (readonly string[])[] {
  const collations = new Map(columns.map(({ name, collation }) => [name, collation]))
  const fits = (column: { readonly name: string; readonly collation: string }) =>
    column.collation.toUpperCase() === 'BINARY' ||
    column.collation.toUpperCase() === collations.get(column.name)?.toUpperCase()
  const keys = indexes
    .filter((index) => !index.isPrimaryKey && index.columns.every(fits))
    .map((index) => index.columns.map(({ name }) => name))
  return [...new Map(keys.map((key) => [key.join('\0'), key])).values()]
}

/** SQLite does not check the spelling of the other table and its columns, nor whether they exist. */
function foreignKeysOf(
  { foreignKeys, columns: ownColumns }: TableFacts,
  tables: ReadonlyMap<string, TableFacts>,
): readonly IntrospectedForeignKey[] {
  return foreignKeys.flatMap(({ table: name, columns, onDelete, onUpdate }) => {
    const table = tables.get(name.toLowerCase())
    if (table === undefined) return []
    const ownKey = columns.map(({ from }) => spelled(ownColumns, from))
    const key = primaryKeyOf(table)
    const references = columns.map(({ to }, index) => spelled(table.columns, to ?? key[index]))
    if (!isComplete(ownKey) || !isComplete(references)) return []
    const actions = { onDelete: actionOf(onDelete), onUpdate: actionOf(onUpdate) }
    const cascades = actions.onDelete === 'cascade'
    return [{ columns: ownKey, table: table.name, references, cascades, ...actions }]
  })
}

/** NO ACTION is the default. */
function actionOf(text: string): IntrospectedForeignKey['onDelete'] {
  const action = text.toLowerCase()
  switch (action) {
    case 'restrict':
    case 'cascade':
    case 'set null':
    case 'set default':
      return action
    default:
      return undefined
  }
}

function spelled(columns: readonly ColumnFacts[], name: string | undefined): string | undefined {
  return columns.find((column) => column.name.toLowerCase() === name?.toLowerCase())?.name
}

function isComplete(names: readonly (string | undefined)[]): names is readonly string[] {
  return names.every((name) => name !== undefined)
}
