import {
  type ConfiguredTypes,
  type IntrospectedColumn,
  type IntrospectedForeignKey,
  type IntrospectedTable,
  type Introspection,
  isSelected,
  type TableSelection,
} from '@engine/core/adapter'
import {
  type CheckedValues,
  checkedValues,
  type ListedValues,
  listedByChecks,
  oids,
  triggerColumns,
} from '@engine/core/catalog'
import type { MysqlSession } from '../driver/session.ts'
import type { Flavor } from '../server/flavor.ts'
import {
  type ColumnRow,
  checkRow,
  checksQuery,
  columnRow,
  columnsQuery,
  type ForeignKeyRow,
  foreignKeyRow,
  foreignKeysQuery,
  type KeyColumnRow,
  keyColumnRow,
  keysQuery,
  plainIndexesQuery,
  relationRow,
  relationsQuery,
  type TriggerRow,
  triggerRow,
  triggersQuery,
} from './catalog-queries.ts'
import { columnType } from './column-type.ts'
import { columnTypeFaults, configuredType } from './configured-types.ts'
import { defaultExpression } from './default-expression.ts'
import { isGeneratedKey } from './generated-key.ts'
import type { MysqlColumnNative } from './native-column.ts'
import { sampleUuids, uuidKey } from './sample-uuids.ts'
import { readSchemaChanges, readSchemaVersion } from './schema-version.ts'

export interface IntrospectOptions {
  /** The database to read. */
  readonly schema: string
  readonly tables: TableSelection
  /** `declared`: stored texts are not sampled for UUIDs. */
  readonly types: 'declared' | 'inferred'
  readonly columnTypes: ConfiguredTypes
}

/**
 * Reads the tables and views of one database. Columns without a form on the wire (geometry, vectors) are left out together with
 * their keys.
 */
export async function introspect(
  session: MysqlSession,
  options: IntrospectOptions,
): Promise<Introspection> {
  for (let readings = 1; ; readings += 1) {
    const changes = await readSchemaChanges(session)
    const schemaVersion = await readSchemaVersion(session, options.schema)
    const found = await readCatalog(session, options)
    // The queries share no snapshot: a change between them gives parts of both schemas.
    if ((await readSchemaChanges(session)) === changes) return { ...found, schemaVersion }
    if (readings === mostReadings)
      return { ...found, schemaVersion: `${schemaVersion} at ${changes}` }
  }
}

/** While the schema changes again and again; the next look at its version differs from the last one then. */
const mostReadings = 3

async function readCatalog(
  session: MysqlSession,
  { schema, tables: selection, types, columnTypes }: IntrospectOptions,
): Promise<Omit<Introspection, 'schemaVersion'>> {
  const ask = async <Row>(
    sql: string,
    read: (cells: readonly (string | number | Buffer | null)[]) => Row,
  ): Promise<readonly Row[]> => (await session.rows(sql, [schema])).map(read)
  const { flavor } = session
  const relations = (await ask(relationsQuery, relationRow))
    .filter(({ name }) => isSelected(name, selection))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
  const columns = Map.groupBy(await ask(columnsQuery, columnRow), ({ table }) => table)
  const keys = Map.groupBy(await ask(keysQuery, keyColumnRow), ({ table }) => table)
  const plain = Map.groupBy(await ask(plainIndexesQuery, keyColumnRow), ({ table }) => table)
  const foreignKeys = Map.groupBy(await ask(foreignKeysQuery, foreignKeyRow), ({ table }) => table)
  const triggers = Map.groupBy(await ask(triggersQuery, triggerRow), ({ table }) => table)
  const checkRows = await ask(checksQuery(flavor), (cells) => checkRow(cells, flavor))
  const clausesByTable = Map.groupBy(checkRows, ({ table }) => table)
  const shown = new Set(relations.map(({ name }) => name))
  const isConfigured = (column: ColumnRow) => configuredType(columnTypes, column) !== undefined
  const uuids =
    types === 'declared'
      ? undefined
      : await sampleUuids(session, schema, relations, columns, (column) => !isConfigured(column))
  const tables = relations.map((relation): IntrospectedTable => {
    const { name } = relation
    const clauses = (clausesByTable.get(name) ?? []).map(({ clause }) => clause)
    const isJson = jsonColumns(clauses)
    const checked = clauses.map((clause) => checkedValues(clause, 'mysql'))
    const indexes = keys.get(name) ?? []
    const all = columns.get(name) ?? []
    const generatedKey = all.find(isGeneratedKey)
    const found = all
      .filter((column) => column !== generatedKey)
      .flatMap((column) =>
        introspectedColumn(column, flavor, {
          isJson: isJson(column.name),
          isUuid: configuredType(columnTypes, column) ?? uuids?.get(uuidKey(column)) ?? false,
          isTypeInferred: uuids?.has(uuidKey(column)) === true,
          checked,
          besideGeneratedKey: generatedKey !== undefined,
          ...uniqueIndexesOf(indexes, column.name),
        }),
      )
    const has = new Set(found.map((column) => column.name))
    return {
      schema,
      name,
      kind: relation.kind,
      comment: relation.comment,
      columns: found,
      ...keysOf(indexes, has),
      triggerColumns: changedByTriggers(triggers.get(name), [...has]),
      foreignKeys: foreignKeysOf(foreignKeys.get(name) ?? [], has, shown),
      indexes: plainIndexesOf(name, plain.get(name) ?? [], has),
    }
  })
  const every = [...columns.values()].flat()
  return { types: [], tables, typeFaults: columnTypeFaults(columnTypes, every) }
}

function changedByTriggers(
  triggers: readonly TriggerRow[] | undefined,
  columns: readonly string[],
): IntrospectedTable['triggerColumns'] {
  if (triggers === undefined) return undefined
  const changed = triggers.map(({ body }) => triggerColumns(body, columns))
  return changed.includes('all') ? 'all' : [...new Set(changed.flat())]
}

/** `json_valid("data")`, or with backticks. */
function jsonColumns(clauses: readonly string[]): (name: string) => boolean {
  const names = new Set(
    clauses.flatMap((clause) => {
      const [, , name] = /^\s*json_valid\(([`"])(.+)\1\)\s*$/is.exec(clause) ?? []
      return name === undefined ? [] : [name.replaceAll('``', '`')]
    }),
  )
  return (name) => names.has(name)
}

/** Facts about a column besides its own row. */
interface ColumnFindings extends TableFindings {
  readonly isJson: boolean
  readonly isUuid: boolean
  /** Stored rows decided whether it holds UUIDs. */
  readonly isTypeInferred: boolean
  /** Values that checks of the table list. */
  readonly checked: readonly CheckedValues[]
}

function introspectedColumn(
  column: ColumnRow,
  flavor: Flavor,
  { isJson, isUuid, isTypeInferred, checked, ...indexes }: ColumnFindings,
): readonly IntrospectedColumn[] {
  const type = columnType(column, { isJson, isUuid })
  if (type === undefined) return []
  const { name, columnType: nativeType, isNullable, extra, comment, collation } = column
  const isAutoIncrement = /\bauto_increment\b/i.test(extra)
  const isGenerated = /\b(virtual|stored|persistent) generated\b/i.test(extra)
  const expression = isGenerated ? undefined : defaultExpression(column, flavor)
  const isText = [oids.text, oids.varchar, oids.bpchar].some((oid) => oid === type.oid)
  const isBinaryCollation = collation !== undefined && binaryCollations.has(collation)
  const native: MysqlColumnNative = {
    dataType: isJson ? 'json' : column.dataType,
    isUnsigned: nativeType.includes('unsigned'),
    charset: column.charset,
    collation,
    isBinaryCollation,
    fractionDigits: column.fractionDigits ?? 0,
    isAutoIncrement,
    defaultExpression: expression,
    ...indexes,
  }
  return [
    {
      name,
      type,
      ...(isTypeInferred ? { isTypeInferred } : {}),
      nullable: isNullable,
      hasDefault: isAutoIncrement || isGenerated || expression !== undefined,
      generated: isGenerated ? 'always' : 'no',
      nativeType: isJson ? 'json' : nativeType,
      nativeDefault: expression,
      collation: isText && !isBinaryCollation ? collation : undefined,
      native,
      comment,
      listed: listedValues(column, checked),
    },
  ]
}

function listedValues(
  { name, dataType, members }: ColumnRow,
  checked: readonly CheckedValues[],
): ListedValues | undefined {
  if (members === undefined) return listedByChecks(checked, name)
  return { kind: dataType === 'set' ? 'several' : 'one', values: members }
}

/** Collations by code point in which blanks at the end are significant. */
const binaryCollations: ReadonlySet<string> = new Set([
  'utf8mb4_nopad_bin',
  'utf8mb4_0900_bin',
  'utf8mb3_nopad_bin',
  'ascii_nopad_bin',
])

type UniqueIndexes = Pick<MysqlColumnNative, 'uniqueIndexes' | 'inHiddenUnique'>

type TableFindings = UniqueIndexes & Pick<MysqlColumnNative, 'besideGeneratedKey'>

function uniqueIndexesOf(rows: readonly KeyColumnRow[], column: string): UniqueIndexes {
  const isPart = (row: KeyColumnRow) => row.column === undefined || row.prefix !== undefined
  return {
    uniqueIndexes: rows
      .filter((row) => row.column === column && !isPart(row))
      .map(({ key }) => key),
    inHiddenUnique: rows.some(isPart),
  }
}

type Keys = Pick<IntrospectedTable, 'primaryKey' | 'uniqueKeys'>

/** Index names are unique within their table only: the reported names are those of PostgreSQL, unique across tables. */
function plainIndexesOf(
  table: string,
  rows: readonly KeyColumnRow[],
  has: ReadonlySet<string>,
): NonNullable<IntrospectedTable['indexes']> {
  const names = new Set<string>()
  return wholeIndexes(rows, has).flatMap(({ columns }) => {
    const name = `${table}_${columns.join('_')}_idx`
    if (names.has(name)) return []
    names.add(name)
    return [{ name, columns }]
  })
}

interface WholeIndex {
  readonly name: string
  readonly columns: readonly string[]
}

/** Leaves out indexes on an expression or on a part of a column. */
function wholeIndexes(
  rows: readonly KeyColumnRow[],
  has: ReadonlySet<string>,
): readonly WholeIndex[] {
  return [...Map.groupBy(rows, ({ key }) => key)].flatMap(([name, parts]) => {
    const columns = parts.flatMap(({ column, prefix }) =>
      column !== undefined && prefix === undefined && has.has(column) ? [column] : [],
    )
    return columns.length === parts.length ? [{ name, columns }] : []
  })
}

/** A key on only a part of a column identifies no row by its values. */
function keysOf(rows: readonly KeyColumnRow[], has: ReadonlySet<string>): Keys {
  const keys = wholeIndexes(rows, has)
  return {
    primaryKey: keys.find(({ name }) => name === 'PRIMARY')?.columns ?? [],
    uniqueKeys: keys.filter(({ name }) => name !== 'PRIMARY').map(({ columns }) => columns),
  }
}

/** Leaves out keys that refer to tables which are not shown. */
function foreignKeysOf(
  rows: readonly ForeignKeyRow[],
  has: ReadonlySet<string>,
  shown: ReadonlySet<string>,
): readonly IntrospectedForeignKey[] {
  return [...Map.groupBy(rows, ({ key }) => key).values()].flatMap((parts) => {
    const [first] = parts
    if (first === undefined || !shown.has(first.target)) return []
    if (!parts.every(({ column }) => has.has(column))) return []
    return [
      {
        columns: parts.map(({ column }) => column),
        table: first.target,
        references: parts.map(({ targetColumn }) => targetColumn),
        cascades: first.onDelete === 'cascade',
        onDelete: first.onDelete,
        onUpdate: first.onUpdate,
      },
    ]
  })
}
