import {
  type IntrospectedColumn,
  type IntrospectedForeignKey,
  type IntrospectedTable,
  type Introspection,
  isSelected,
  type TableSelection,
} from '@engine/core/adapter'
import {
  type ColumnSequence,
  type IndexKey,
  type ListedValues,
  type ReferentialAction,
  triggerColumns,
  type UniqueIndex,
  valuesOfConstraint,
} from '@engine/core/catalog'
import type { ServerSession } from '../driver/session.ts'
import {
  type ColumnRow,
  columnsQuery,
  type DatabaseRow,
  databaseQuery,
  type InheritanceRow,
  inheritanceQuery,
  type PartitionRow,
  type PlainTableRow,
  partitionsQuery,
  plainTablesQuery,
  type RelationRow,
  relationsQuery,
  type TriggerRow,
  triggersQuery,
} from './catalog-queries.ts'
import { codePointCollations, databaseCollation } from './collation.ts'
import { introspectedTypes } from './introspected-types.ts'
import {
  type CheckRow,
  checksQuery,
  type ForeignKeyRow,
  foreignKeysQuery,
  type IndexRow,
  indexesQuery,
  type KeyRow,
  keysQuery,
  type UniqueIndexRow,
  uniqueIndexesQuery,
} from './key-queries.ts'
import { familiesOf, introspectedPartitions } from './partitions.ts'
import { readSchemaVersion, type SchemaVersion, versionText } from './schema-version.ts'
import {
  type NamedSequenceRow,
  namedSequencesQuery,
  type SequenceRow,
  sequencesQuery,
} from './sequence-queries.ts'
import { type TypeRow, typesQuery } from './type-queries.ts'
import {
  type TableRuleRow,
  tableRulesQuery,
  type ViewColumnRow,
  type ViewDefinitionRow,
  type ViewRow,
  type ViewRuleRow,
  viewColumnsQuery,
  viewDefinitionsQuery,
  viewRulesQuery,
  viewsQuery,
} from './view-queries.ts'
import { viewTargets } from './view-targets.ts'
import { type Origin, originsOf, ruledWrites, viewsOfEveryRow, viewWrites } from './view-writes.ts'

export interface IntrospectOptions {
  /** Tables of the first one have plain names, those of the others the names `schema.table`. */
  readonly schemas: readonly string[]
  readonly tables: TableSelection
}

/** Tables, views and types, and the server's version. */
export interface IntrospectionResult {
  readonly introspection: Introspection
  /** As in `server_version_num`: 150018 is 15.18. */
  readonly serverVersion: number | undefined
  readonly version: SchemaVersion
}

/** Reads the tables and views of the schemas and the types of the database, all in one snapshot. */
export async function introspect(
  session: ServerSession,
  options: IntrospectOptions,
): Promise<IntrospectionResult> {
  await session.command('begin isolation level repeatable read read only')
  try {
    // With an empty path the server qualifies every name with its schema.
    await session.rows("select pg_catalog.set_config('search_path', '', true)", [])
    return await readCatalog(session, options)
  } finally {
    await session.command('rollback')
  }
}

async function readCatalog(
  session: ServerSession,
  { schemas, tables: selection }: IntrospectOptions,
): Promise<IntrospectionResult> {
  const version = await readSchemaVersion(session, schemas)
  const [database] = await session.rows<DatabaseRow>(databaseQuery, [schemas])
  const collation = databaseCollation(database?.database ?? {})
  const relations = addressable(await session.rows<RelationRow>(relationsQuery, [schemas]), schemas)
  const partitions = await session.rows<PartitionRow>(partitionsQuery, [schemas])
  const inheritance = await session.rows<InheritanceRow>(inheritanceQuery, [])
  const columns = await session.rows<ColumnRow>(columnsQuery, [
    schemas,
    collation ?? null,
    codePointCollations,
  ])
  const keys = await session.rows<KeyRow>(keysQuery, [schemas])
  const uniqueIndexes = await session.rows<UniqueIndexRow>(uniqueIndexesQuery, [schemas])
  const foreignKeys = await session.rows<ForeignKeyRow>(foreignKeysQuery, [schemas])
  const checks = await session.rows<CheckRow>(checksQuery, [schemas])
  const indexes = await session.rows<IndexRow>(indexesQuery, [schemas])
  const triggers = await session.rows<TriggerRow>(triggersQuery, [schemas])
  const plain = await session.rows<PlainTableRow>(plainTablesQuery, [schemas])
  const sequences = await session.rows<SequenceRow>(sequencesQuery, [schemas])
  const named = await session.rows<NamedSequenceRow>(namedSequencesQuery, [schemas])
  const views = await session.rows<ViewRow>(viewsQuery, [schemas])
  const rules = await session.rows<ViewRuleRow>(viewRulesQuery, [schemas])
  const tableRules = await session.rows<TableRuleRow>(tableRulesQuery, [])
  const viewColumns = await session.rows<ViewColumnRow>(viewColumnsQuery, originArrays(rules))
  const types = await session.rows<TypeRow>(typesQuery, [])
  const partitioned = addressable(partitions, schemas)
  const definitions = await viewDefinitions(session, schemas)
  const parts: CatalogParts = {
    schemas,
    typePrefix: `${database?.schema ?? schemas[0]}.`,
    relations: new Map(
      relations
        .filter(({ address }) => isSelected(address, selection))
        .map((each) => [each.oid, each]),
    ),
    columns: Map.groupBy(columns, ({ relation }) => relation),
    keys: Map.groupBy(keys, ({ relation }) => relation),
    uniqueIndexes: Map.groupBy(uniqueIndexes, ({ relation }) => relation),
    foreignKeys: Map.groupBy(foreignKeys, ({ relation }) => relation),
    checks: Map.groupBy(checks, ({ relation }) => relation),
    indexes: Map.groupBy(indexes, ({ relation }) => relation),
    triggers: Map.groupBy(triggers, ({ relation }) => relation),
    plain: new Set(plain.map(({ relation }) => relation)),
    sequences: Map.groupBy(sequences, ({ relation }) => relation),
    families: familiesOf(inheritance),
    roots: new Set(partitions.map(({ root }) => root)),
    views: new Map(views.map((view) => [view.relation, view])),
    origins: originsOf(viewColumns),
    definitions: new Map(definitions.map((definition) => [definition.relation, definition])),
    wholeViews: viewsOfEveryRow(rules),
    ruled: new Map(tableRules.map(({ relation, ruled }) => [relation, ruled])),
  }
  const used = new Set(columns.map(({ type }) => type))
  return {
    introspection: {
      schemaVersion: versionText(version),
      types: introspectedTypes(types, used, schemas),
      tables: [...parts.relations.values()].map((relation) => introspectedTable(relation, parts)),
      sequences: shownSequences(named, sequences, parts).map((each) => ({
        key: keyOf(each, schemas),
        native: each,
      })),
      partitions: introspectedPartitions(partitioned, parts, selection),
      excluded: relations
        .map(({ address }) => address)
        .filter((address) => selection.exclude?.includes(address)),
    },
    serverVersion: database?.version,
    version,
  }
}

/** Tables of the first schema are named without it, as by a client whose search path is the connection. */
async function viewDefinitions(
  session: ServerSession,
  schemas: readonly string[],
): Promise<readonly ViewDefinitionRow[]> {
  const [first = ''] = schemas
  const path = "select pg_catalog.set_config('search_path', pg_catalog.quote_ident($1), true)"
  await session.rows(path, [first])
  const rows = await session.rows<ViewDefinitionRow>(viewDefinitionsQuery, [schemas])
  await session.rows("select pg_catalog.set_config('search_path', '', true)", [])
  return rows
}

/** Columns of views and their origins, for `viewColumnsQuery`. */
function originArrays(rules: readonly ViewRuleRow[]): readonly (readonly unknown[])[] {
  const targets = rules.flatMap(({ relation, rule }) =>
    viewTargets(rule).map((target) => ({ ...target, relation })),
  )
  return [
    targets.map(({ relation }) => relation),
    targets.map(({ number }) => number),
    targets.map(({ origin }) => origin),
    targets.map(({ originNumber }) => originNumber),
  ]
}

/** A relation with its name for clients. */
interface AddressedRelation extends RelationRow {
  readonly address: string
}

/** A table of the first schema whose name looks like that of a table of another one is not shown: each name means one table. */
function addressable<Row extends Pick<RelationRow, 'schema' | 'name'>>(
  relations: readonly Row[],
  [first, ...others]: readonly string[],
): readonly (Row & Pick<AddressedRelation, 'address'>)[] {
  return relations.flatMap((relation): readonly (Row & Pick<AddressedRelation, 'address'>)[] => {
    const { schema, name } = relation
    if (schema !== first) return [{ ...relation, address: `${schema}.${name}` }]
    return others.some((other) => name.startsWith(`${other}.`))
      ? []
      : [{ ...relation, address: name }]
  })
}

interface CatalogParts {
  readonly schemas: readonly string[]
  /** The prefix of native type names of the first schema. */
  readonly typePrefix: string
  readonly relations: ReadonlyMap<string, AddressedRelation>
  readonly columns: ReadonlyMap<string, readonly ColumnRow[]>
  readonly keys: ReadonlyMap<string, readonly KeyRow[]>
  readonly uniqueIndexes: ReadonlyMap<string, readonly UniqueIndexRow[]>
  readonly foreignKeys: ReadonlyMap<string, readonly ForeignKeyRow[]>
  readonly checks: ReadonlyMap<string, readonly CheckRow[]>
  readonly indexes: ReadonlyMap<string, readonly IndexRow[]>
  readonly triggers: ReadonlyMap<string, readonly TriggerRow[]>
  readonly plain: ReadonlySet<string>
  readonly sequences: ReadonlyMap<string, readonly SequenceRow[]>
  /** Of tables that inherit from others, and of these others. */
  readonly families: ReadonlyMap<string, string>
  /** Tables with partitions. */
  readonly roots: ReadonlySet<string>
  readonly views: ReadonlyMap<string, ViewRow>
  /** By view, then by number of the column; of the columns that PostgreSQL can write. */
  readonly origins: ReadonlyMap<string, ReadonlyMap<number, Origin>>
  /** Of views. */
  readonly definitions: ReadonlyMap<string, ViewDefinitionRow>
  /** Views that show every row of their table. */
  readonly wholeViews: ReadonlySet<string>
  /** Of tables of any schema: see `TableRuleRow.ruled`. */
  readonly ruled: ReadonlyMap<string, number>
}

function introspectedTable(relation: AddressedRelation, parts: CatalogParts): IntrospectedTable {
  const { oid, schema, name, address, relkind, rowType, rowArray, hasRowSecurity, comment } =
    relation
  const keys = parts.keys.get(oid) ?? []
  const primary = keys.find(({ isPrimary }) => isPrimary)
  return {
    schema,
    name: address,
    nativeName: name,
    kind: relkind === 'v' || relkind === 'm' ? 'view' : 'table',
    hasRowSecurity: hasRowSecurity || undefined,
    oids: { table: Number(oid), rowType: Number(rowType), rowArray: Number(rowArray) },
    comment: comment ?? undefined,
    columns: (parts.columns.get(oid) ?? []).map((column) => introspectedColumn(column, parts)),
    primaryKey: primary === undefined ? [] : columnNames(oid, primary.columns, parts),
    uniqueKeys: keys
      .filter(({ isPrimary }) => !isPrimary)
      .map(({ columns }) => columnNames(oid, columns, parts)),
    triggerColumns: changedByTriggers(oid, parts),
    ruledWrites: ruledWrites(parts.ruled.get(oid)),
    hasPlainInserts: parts.plain.has(oid) ? true : undefined,
    rowKeys: provenKeys(keys).map((columns) => columnNames(oid, columns, parts)),
    keyConstraints: keys.flatMap(({ constraint, columns }) =>
      constraint === null ? [] : [{ name: constraint, columns: columnNames(oid, columns, parts) }],
    ),
    oid,
    family: parts.roots.has(oid) ? address : parts.families.get(oid),
    uniqueIndexes: (parts.uniqueIndexes.get(oid) ?? []).map(uniqueIndex),
    foreignKeys: (parts.foreignKeys.get(oid) ?? []).flatMap((key) => foreignKey(key, parts)),
    checks: (parts.checks.get(oid) ?? []).map(({ name: check, columns, definition }) => ({
      name: check,
      columns: columnNames(oid, columns, parts),
      definition,
    })),
    indexes: (parts.indexes.get(oid) ?? []).map((index) => introspectedIndex(oid, index, parts)),
    definition: viewDefinition(oid, parts),
    ...writableView(oid, parts),
  }
}

function viewDefinition(oid: string, parts: CatalogParts): IntrospectedTable['definition'] {
  const found = parts.definitions.get(oid)
  if (found === undefined) return undefined
  const { text, pretty, reads, isPlain } = found
  const tables = reads.flatMap((relation) => parts.relations.get(relation)?.address ?? [])
  return { text, pretty, isPlain, tables: tables.length === reads.length ? tables : undefined }
}

function introspectedIndex(
  oid: string,
  { name, columns, orders, method, isUnique, named, expressions, condition }: IndexRow,
  parts: CatalogParts,
): NonNullable<IntrospectedTable['indexes']>[number] {
  const partOf = (number: number, place: number): IndexKey => {
    const expression = expressions?.[place]
    if (typeof expression === 'string') return { expression }
    return { column: columnNames(oid, [number], parts)[0] ?? '' }
  }
  return {
    name,
    columns: columnNames(oid, named ?? columns, parts),
    orders: orders.every((order) => order === 'asc') ? undefined : orders,
    method: method === 'btree' ? undefined : method,
    isUnique: isUnique || undefined,
    parts: named === null ? undefined : columns.map(partOf),
    condition: condition ?? undefined,
  }
}

function uniqueIndex({ name, parts, condition, isUsual }: UniqueIndexRow): UniqueIndex {
  return {
    name,
    parts: parts.map(({ native, collation, operatorClass }) => ({
      native,
      collation: collation ?? undefined,
      operatorClass,
    })),
    condition: condition === null ? undefined : { native: condition },
    isLikeStatements: isUsual || undefined,
  }
}

/** Numbers of the columns of each proven key, the primary key first. */
function provenKeys(keys: readonly KeyRow[]): readonly (readonly number[])[] {
  const primary = keys.filter(({ isPrimary }) => isPrimary)
  const others = keys.filter(({ isPrimary }) => !isPrimary)
  return [...primary, ...others].flatMap((key) => (key.isProven ? [key.columns] : []))
}

/** How a view is written. One that PostgreSQL writes on a table has the keys of that table, as far as it shows their columns. */
function writableView(oid: string, parts: CatalogParts): Partial<IntrospectedTable> {
  const view = parts.views.get(oid)
  if (view === undefined) return {}
  const origins = parts.origins.get(oid) ?? new Map<number, Origin>()
  const [base] = origins.values()
  const shown = new Map([...origins].map(([number, origin]) => [origin.number, number]))
  const namesOf = (keys: readonly (readonly number[])[]) =>
    keys
      .filter((key) => key.every((number) => shown.has(number)))
      .map((key) =>
        columnNames(
          oid,
          key.flatMap((number) => shown.get(number) ?? []),
          parts,
        ),
      )
  const keys = base === undefined ? [] : (parts.keys.get(base.relation) ?? [])
  const ruled = view.ruled | (base === undefined ? 0 : (parts.ruled.get(base.relation) ?? 0))
  const writes = viewWrites(
    { ...view, ruled },
    {
      columns: new Map(
        [...origins].flatMap(([number, { column }]) =>
          columnNames(oid, [number], parts).map((name) => [name, column] as const),
        ),
      ),
      base: base && { schema: base.schema, name: base.name },
      showsEveryRow: base !== undefined && parts.wholeViews.has(oid),
      keys: namesOf(keys.map(({ columns }) => columns)),
    },
  )
  return {
    viewWrites: writes,
    triggerColumns: computedInView(oid, parts),
    rowKeys: namesOf(provenKeys(keys)),
  }
}

/** Columns of a view that are not stored as a write sets them: expressions, and those that triggers of its table change. */
function computedInView(oid: string, parts: CatalogParts): IntrospectedTable['triggerColumns'] {
  const origins = parts.origins.get(oid) ?? new Map<number, Origin>()
  const [base] = origins.values()
  if (base === undefined || !parts.columns.has(base.relation)) return 'all'
  const triggered = changedByTriggers(base.relation, parts) ?? []
  if (triggered === 'all') return 'all'
  return (parts.columns.get(oid) ?? []).flatMap(({ number, name }) => {
    const shown = columnOf(origins.get(number), parts)
    return shown === undefined || triggered.includes(shown.name) ? [name] : []
  })
}

function columnOf(origin: Origin | undefined, parts: CatalogParts): ColumnRow | undefined {
  const columns = origin && parts.columns.get(origin.relation)
  return columns?.find(({ number }) => number === origin?.number)
}

/** For a function in another language than PL/pgSQL it is unknown which columns it changes. */
function changedByTriggers(oid: string, parts: CatalogParts): IntrospectedTable['triggerColumns'] {
  const triggers = parts.triggers.get(oid)
  if (triggers === undefined) return undefined
  const names = (parts.columns.get(oid) ?? []).map(({ name }) => name)
  const changed = triggers.map(({ source, language }) =>
    language === 'plpgsql' ? triggerColumns(source, names) : 'all',
  )
  return changed.includes('all') ? 'all' : [...new Set(changed.flat())]
}

function introspectedColumn(column: ColumnRow, parts: CatalogParts): IntrospectedColumn {
  const { native, number } = column
  const { typePrefix, schemas } = parts
  const stored = columnOf(parts.origins.get(column.relation)?.get(number), parts)
  const sequences = parts.sequences.get(column.relation)?.filter((row) => row.number === number)
  return {
    ...(sequences?.length
      ? { sequences: sequences.map((row) => columnSequence(row, schemas)) }
      : undefined),
    name: column.name,
    type: { oid: Number(column.type), typmod: column.typmod },
    nullable: !column.notNull,
    hasDefault: column.hasDefault || stored?.hasDefault === true,
    generated: generation(stored ?? column),
    nativeType: native.startsWith(typePrefix) ? native.slice(typePrefix.length) : native,
    nativeDefault: column.defaultText ?? stored?.defaultText ?? undefined,
    collation: column.collation ?? undefined,
    native: undefined,
    comment: column.comment ?? undefined,
    listed: listedValues(column, parts),
  }
}

/** The values that a check of the table lists. */
function listedValues(
  { relation, number, name }: ColumnRow,
  { checks }: CatalogParts,
): ListedValues | undefined {
  for (const { columns, definition } of checks.get(relation) ?? []) {
    const values = columns.includes(number) ? valuesOfConstraint(definition).get(name) : undefined
    if (values !== undefined) return { kind: 'one', values }
  }
  return undefined
}

/** All but those that number only columns of tables that are not shown. */
function shownSequences(
  all: readonly NamedSequenceRow[],
  used: readonly SequenceRow[],
  { relations }: Pick<CatalogParts, 'relations'>,
): readonly NamedSequenceRow[] {
  const uses = Map.groupBy(used, sequenceName)
  return all.filter((each) => {
    const relationsOf = uses.get(sequenceName(each))
    return relationsOf?.some(({ relation }) => relations.has(relation)) ?? true
  })
}

function sequenceName({ schema, name }: NamedSequenceRow): string {
  return JSON.stringify([schema, name])
}

function keyOf({ schema, name }: NamedSequenceRow, [first]: readonly string[]): string {
  return schema === first ? name : `${schema}.${name}`
}

function columnSequence(row: SequenceRow, schemas: readonly string[]): ColumnSequence {
  const { use, schema, name, type, start, increment, minimum, maximum, cache, cycles } = row
  return {
    key: keyOf(row, schemas),
    native: { schema, name },
    use,
    options: { type, start, increment, minimum, maximum, cache, cycles },
  }
}

function generation({ generated, identity }: ColumnRow): IntrospectedColumn['generated'] {
  if (generated !== '') return 'always'
  return identity === 'a' ? 'identity' : 'no'
}

/** Foreign keys to tables that are not shown are left out. */
function foreignKey(
  { relation, name, columns, target, targetColumns, cascades, onDelete, onUpdate }: ForeignKeyRow,
  parts: CatalogParts,
): readonly IntrospectedForeignKey[] {
  const table = parts.relations.get(target)
  if (table === undefined) return []
  return [
    {
      name,
      columns: columnNames(relation, columns, parts),
      table: table.address,
      references: columnNames(target, targetColumns, parts),
      cascades,
      onDelete: actions[onDelete],
      onUpdate: actions[onUpdate],
    },
  ]
}

const actions: Readonly<Record<string, ReferentialAction>> = {
  r: 'restrict',
  c: 'cascade',
  n: 'set null',
  d: 'set default',
}

function columnNames(
  relation: string,
  numbers: readonly number[],
  { columns }: CatalogParts,
): readonly string[] {
  const names = new Map(columns.get(relation)?.map(({ number, name }) => [number, name]))
  return numbers.flatMap((number) => names.get(number) ?? [])
}
