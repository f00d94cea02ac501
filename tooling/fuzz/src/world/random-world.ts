import { sampleText, sampleTexts } from '../grammar/literals.ts'
import type { TypeName } from '../grammar/types.ts'
import type { Random } from '../random.ts'
import {
  generatedCell,
  hasTrueKey,
  isChildIdentity,
  randomShape,
  type ShapeOptions,
  shapeOf,
  withinDomain,
} from './shape.ts'
import type { Cell, ForeignKey, Row, StoredType, World, WorldColumn, WorldTable } from './world.ts'

/** Options for a world. */
export interface WorldOptions {
  /** Only types that every database can store. */
  readonly isPortable: boolean
  readonly maxTables: number
  readonly maxRows: number
  /** Unique columns and foreign keys, which reveal something about hidden rows. */
  readonly hasConstraints: boolean
  /** Every table has a column `rid` that identifies a row; see `isTag`. */
  readonly hasTags?: boolean
  /** Some columns have an enum type, where the database supports it. */
  readonly hasEnums?: boolean
  /** Only types that a column of a CSV file can have, and no text that a file reads as NULL. */
  readonly isCsv?: boolean
  /** Tables have the features of `shape.ts`; undefined: they have a key and no special features. */
  readonly shapes?: ShapeOptions | undefined
}

/** A column that no policy grants: rows of the world have different values, new rows have none. */
export const tagName = 'rid'

/** The column that identifies the rows of a table. */
export function identityOf({ columns }: Pick<WorldTable, 'columns'>): string {
  return columns.some(({ name }) => name === tagName) ? tagName : 'id'
}

const portableTypes: readonly (readonly [number, StoredType])[] = [
  [10, 'int4'],
  [8, 'text'],
  [5, 'bool'],
  [5, 'numeric(10,2)'],
  [4, 'int8'],
  [3, 'varchar(8)'],
  [2, 'float8'],
  [3, 'date'],
  [3, 'timestamp'],
  [1, 'timestamptz'],
  [2, 'uuid'],
  [1, 'int2'],
  [1, 'time'],
  [1, 'bytea'],
  [2, 'jsonb'],
  [1, 'char(4)'],
]

const otherTypes: readonly (readonly [number, StoredType])[] = [
  [1, 'json'],
  [1, 'interval'],
  [2, 'int4[]'],
  [2, 'text[]'],
]

const moodTypes: readonly (readonly [number, StoredType])[] = [[4, 'mood']]

const csvTypes = portableTypes.filter(
  ([, stored]) => !['int2', 'bytea', 'char(4)', 'jsonb', 'time'].includes(stored),
)

/** Two to `maxTables` tables that reference each other, and rows that satisfy every constraint. */
export function randomWorld(random: Random, options: WorldOptions): World {
  const count = random.integer(2, options.maxTables)
  const tables: WorldTable[] = []
  const rows = new Map<string, readonly Row[]>()
  for (let i = 0; i < count; i += 1) {
    const table = randomTable(random, `t${i + 1}`, tables, options)
    tables.push(table)
    rows.set(table.name, randomRows(random, table, rows, options))
  }
  return { tables, rows }
}

function randomTable(
  random: Random,
  name: string,
  before: readonly WorldTable[],
  {
    isPortable,
    hasConstraints,
    hasTags = false,
    hasEnums = false,
    isCsv = false,
    shapes,
  }: WorldOptions,
): WorldTable {
  const onPostgres = shapes?.kind === 'postgres' || !isPortable
  const types = [
    ...(isCsv ? csvTypes : portableTypes),
    ...(isPortable ? [] : otherTypes),
    ...(hasEnums && onPostgres ? moodTypes : []),
  ]
  const foreignKeys: ForeignKey[] = []
  const columns: WorldColumn[] = [idColumn]
  for (const [i, other] of random
    .some(hasConstraints ? before.filter(hasTrueKey) : [])
    .slice(0, 2)
    .entries()) {
    const isSetNull = random.chance(20)
    const isNullable = isSetNull || random.chance(50)
    columns.push({ ...idColumn, name: `r${i + 1}`, isNullable })
    const onDelete = isSetNull ? 'set null' : random.chance(25) ? 'cascade' : undefined
    foreignKeys.push({ column: `r${i + 1}`, table: other.name, onDelete })
  }
  // The same name in several tables: NATURAL and USING match it.
  columns.push({ ...idColumn, name: 'k', isNullable: true })
  const others = random.integer(1, 5)
  for (let i = 0; i < others; i += 1) {
    const stored = random.weighted(types)
    const type = typeOf(stored)
    const text = sampleTexts[type][1] ?? ''
    columns.push({
      name: `${'abcdefgh'[i]}`,
      stored,
      type,
      isNullable: isCsv || random.chance(70),
      default: !isCsv && hasDefault.includes(type) && random.chance(25) ? text : undefined,
      ...(hasEnums && !onPostgres && stored === 'text' && random.chance(30)
        ? { list: sampleTexts.mood }
        : {}),
    })
  }
  if (hasTags) columns.push({ ...idColumn, name: tagName, isNullable: true })
  const unique =
    hasConstraints && random.chance(35)
      ? columns.find((column) => column.name.length === 1 && uniqueTypes.includes(column.stored))
      : undefined
  const table = { name, columns, unique: unique?.name, foreignKeys }
  return shapes === undefined ? table : shaped(random, table, shapes)
}

/** The same table with other kinds of columns and keys. */
function shaped(random: Random, table: WorldTable, options: ShapeOptions): WorldTable {
  const { kind } = options
  const columns = table.columns.map((column): WorldColumn => {
    const isOwn = column.name.length === 1 && column.name !== table.unique
    if (!isOwn || column.name === 'k' || column.list !== undefined) return column
    if (column.stored === 'text' && random.chance(25)) {
      return { ...column, foldedOn: kind === 'postgres' ? 'postgres' : 'sqlite' }
    }
    if (kind === 'postgres' && column.default === undefined && random.chance(20)) {
      if (column.stored === 'int4') return { ...column, domain: 'value < 50' }
      if (column.stored === 'text') return { ...column, domain: 'length(value) < 3' }
    }
    return column
  })
  if (random.chance(30)) {
    const modulo = random.integer(2, 3)
    const generated = { column: 'k', modulo }
    columns.push({ ...idColumn, name: 'g', isNullable: true, generated })
  }
  const shape = randomShape(random, options, columns)
  const isKey = (name: string) => shape.key.includes(name)
  return {
    ...table,
    columns: columns.map((column) =>
      isKey(column.name) ? { ...column, isNullable: false } : column,
    ),
    unique: shape.partitionedBy === undefined ? table.unique : undefined,
    shape,
  }
}

const idColumn: WorldColumn = {
  name: 'id',
  stored: 'int4',
  type: 'int4',
  isNullable: false,
  default: undefined,
}

const hasDefault: readonly TypeName[] = ['int4', 'text', 'bool', 'numeric', 'int8']

const uniqueTypes: readonly StoredType[] = ['int4', 'int8', 'varchar(8)']

function typeOf(stored: StoredType): TypeName {
  if (stored === 'numeric(10,2)') return 'numeric'
  if (stored === 'varchar(8)' || stored === 'char(4)') return 'text'
  return stored
}

function randomRows(
  random: Random,
  table: WorldTable,
  others: ReadonlyMap<string, readonly Row[]>,
  { maxRows, isCsv = false }: WorldOptions,
): readonly Row[] {
  const count = random.integer(0, maxRows)
  const taken = new Set<string>()
  const { hasTwins, hasChild } = shapeOf(table)
  const keyPlaces = shapeOf(table).key.map((name) =>
    table.columns.findIndex((column) => column.name === name),
  )
  const isNewKey = (row: Row): boolean => {
    if (keyPlaces.length < 2) return true
    const mark = `key ${keyPlaces.map((at) => row[at]).join(' ')}`
    const isNew = !taken.has(mark)
    taken.add(mark)
    return isNew
  }
  const odd = new Set(shapeOf(table).indexes.map(({ column }) => column))
  return Array.from({ length: count }, (_, i) => {
    const row = table.columns.map((column): Cell => {
      const mayBeTwin = !hasChild || isChildIdentity(i + 1)
      if (column.name === 'id' && hasTwins && mayBeTwin && random.chance(40)) {
        return String(random.integer(1, Math.max(1, i)))
      }
      if (column.name === 'id' || column.name === tagName) return String(i + 1)
      const key = table.foreignKeys.find((each) => each.column === column.name)
      const cell =
        key === undefined
          ? randomCell(random, column)
          : randomReference(random, column, others.get(key.table) ?? [])
      if (isCsv && cell === '') return null
      const within = withinDomain(cell, column)
      if (column.name !== table.unique && !odd.has(column.name)) return within
      const mark = `${column.name} ${within?.toLowerCase()}`
      if (within === null || !taken.has(mark)) {
        if (within !== null) taken.add(mark)
        return within
      }
      return column.isNullable ? null : String(50 + i)
    })
    return row.map((cell, at) => {
      const column = table.columns[at]
      return column?.generated === undefined ? cell : generatedCell(column, table.columns, row)
    })
  }).filter(
    (row) =>
      isNewKey(row) && table.columns.every((column, i) => column.isNullable || row[i] !== null),
  )
}

function randomReference(random: Random, column: WorldColumn, rows: readonly Row[]): Cell {
  if (rows.length === 0 || (column.isNullable && random.chance(20))) return null
  return random.pick(rows)[0] ?? null
}

/** A value that a column can store. */
export function randomCell(random: Random, column: WorldColumn): Cell {
  if (column.isNullable && random.chance(15)) return null
  if (column.name === 'k') return String(random.integer(0, 4))
  return storable(sampleText(random, column.type), column.stored)
}

/** A text within the limits of a type. */
export function storable(text: string, stored: StoredType): string {
  switch (stored) {
    case 'numeric(10,2)':
      return Math.abs(Number(text)) < 1e6 ? Number(text).toFixed(2) : '99.99'
    case 'varchar(8)':
      return text.slice(0, 8)
    case 'char(4)':
      return text.trimEnd().slice(0, 4).padEnd(4)
    case 'float8':
      return Number.isFinite(Number(text)) ? String(Number(text)) : '2.5'
    case 'timestamptz':
      return text.includes('+02') ? '2024-01-31 10:00:00+00' : text
    case 'date':
      return text.startsWith('0') ? '1000-01-01' : text
    case 'jsonb':
      // A bare number would be stored as a number by SQLite.
      return /^[\d.]+$/.test(text) ? `[${text}]` : text
    default:
      return text
  }
}
