/**
 * @module Features of real tables besides columns and a key: unusual keys, rows in several places, values that triggers
 * and domains change or check.
 */
import type { Random } from '../random.ts'
import type { OddIndex, TableShape, WorldTrigger } from './table-shape.ts'
import type { Cell, StoredType, WorldColumn, WorldTable } from './world.ts'

export interface ShapeOptions {
  /** The features that a database supports. */
  readonly kind: 'postgres' | 'portable'
  /** Only features that views with triggers can express too: an id identifies rows, no check is deferred to the end. */
  readonly isPlain?: boolean
  /** Keys besides the primary one. */
  readonly hasIndexes?: boolean
}

const plain: TableShape = {
  key: ['id'],
  deferrable: undefined,
  hasChild: false,
  partitionedBy: undefined,
  indexes: [],
  triggers: [],
  isWithoutRowid: false,
  hasTwins: false,
}

export function shapeOf({ shape }: Pick<WorldTable, 'shape'>): TableShape {
  return shape ?? plain
}

/** Returns whether the child has a row with this value in its identifying column. */
export function isChildIdentity(identity: number): boolean {
  return identity % 3 === 2
}

/** Returns whether foreign keys can refer to its `id`, and it identifies rows. */
export function hasTrueKey(table: Pick<WorldTable, 'shape'>): boolean {
  const { key, deferrable, hasChild, partitionedBy } = shapeOf(table)
  return key.length === 1 && deferrable === undefined && !hasChild && partitionedBy !== 'k'
}

/** Returns whether the effect of ON CONFLICT depends only on the key. */
export function hasPlainConflicts(table: Pick<WorldTable, 'shape'>): boolean {
  const { deferrable, hasChild, indexes, triggers } = shapeOf(table)
  return deferrable === undefined && !hasChild && indexes.length === 0 && triggers.length === 0
}

export function randomShape(
  random: Random,
  { kind, isPlain = false, hasIndexes = true }: ShapeOptions,
  columns: readonly WorldColumn[],
): TableShape {
  const twins = isPlain ? 0 : 1
  const form = random.weighted<TableForm>([
    [30, 'plain'],
    [20 * twins, 'keyless'],
    [12 * twins, 'composite'],
    [12, 'without rowid'],
    [kind === 'postgres' ? 14 : 0, 'deferrable'],
    [kind === 'postgres' ? 16 : 0, 'inherited'],
    [kind === 'postgres' ? 9 : 0, 'partitioned by id'],
    [kind === 'postgres' ? 9 * twins : 0, 'partitioned by k'],
  ])
  const odd = columns.filter(
    ({ name, stored, isNullable, generated }) =>
      name !== 'rid' && isNullable && generated === undefined && indexed.includes(stored),
  )
  const isText = (name: string) =>
    columns.some((column) => column.name === name && column.type === 'text')
  const indexes = random
    .some(odd)
    .slice(0, form === 'keyless' ? 2 : 1)
    .filter(() => form === 'keyless' || random.chance(40))
    .map(({ name }): OddIndex => {
      const forms: readonly OddIndex['form'][] = [
        'nullable',
        'partial',
        ...(isText(name) ? (['folded', 'operators'] as const) : []),
      ]
      return { column: name, form: random.pick(forms) }
    })
  const own = { ...plain, ...forms(random)[form] }
  return {
    ...own,
    deferrable: isPlain && own.deferrable !== undefined ? 'immediate' : own.deferrable,
    hasTwins: !isPlain && (own.key.length !== 1 || own.hasChild),
    indexes: !hasIndexes || own.partitionedBy !== undefined ? [] : indexes,
    triggers: random.chance(30) ? [randomTrigger(random, columns)] : [],
  }
}

type TableForm =
  | 'plain'
  | 'keyless'
  | 'composite'
  | 'without rowid'
  | 'deferrable'
  | 'inherited'
  | 'partitioned by id'
  | 'partitioned by k'

const forms = (random: Random): Readonly<Record<TableForm, Partial<TableShape>>> => ({
  plain: {},
  keyless: { key: [] },
  composite: { key: ['id', 'k'] },
  'without rowid': { isWithoutRowid: true },
  deferrable: { deferrable: random.pick(['immediate', 'deferred']) },
  inherited: { hasChild: true },
  'partitioned by id': { partitionedBy: 'id' },
  'partitioned by k': { partitionedBy: 'k', key: ['id', 'k'] },
})

const indexed: readonly StoredType[] = ['int4', 'int8', 'text', 'varchar(8)']

function randomTrigger(random: Random, columns: readonly WorldColumn[]): WorldTrigger {
  const simple = columns.filter(
    ({ type, generated, name }) =>
      (type === 'int4' || type === 'text') &&
      generated === undefined &&
      name !== 'id' &&
      name !== 'rid',
  )
  const { name, type } = random.pick(simple)
  const does = random.pick(['sets', 'raises'] as const)
  return {
    when: does === 'sets' ? 'before' : random.pick(['before', 'after']),
    does,
    column: name,
    value: type === 'text' ? random.pick(['a', 'b', 'ab']) : random.pick(['1', '2', '3']),
  }
}

/** A cell within the domain or the list of its column. */
export function withinDomain(cell: Cell, { domain, type, list }: WorldColumn): Cell {
  if (cell === null) return cell
  if (list !== undefined)
    return list.includes(cell) ? cell : (list[cell.length % list.length] ?? cell)
  if (domain === undefined) return cell
  return type === 'text' ? cell.slice(0, 2) : Number(cell) < 50 ? cell : '7'
}

/** The value that the database computes for a generated column. */
export function generatedCell(
  { generated }: WorldColumn,
  columns: readonly WorldColumn[],
  row: readonly Cell[],
): Cell {
  if (generated === undefined) return null
  const cell = row[columns.findIndex(({ name }) => name === generated.column)] ?? '0'
  return String(Number(cell) % generated.modulo)
}
