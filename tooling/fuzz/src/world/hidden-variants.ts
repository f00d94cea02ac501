/** @module Worlds that look the same to a caller but differ. */

import { quoted } from '../grammar/literals.ts'
import type { TypeName } from '../grammar/types.ts'
import type { Random } from '../random.ts'
import type { DirectSubject } from '../subjects/direct-subject.ts'
import { postgresWorld } from './postgres-world.ts'
import { identityOf, storable, tagName } from './random-world.ts'
import { isChildIdentity, shapeOf, withinDomain } from './shape.ts'
import {
  type Cell,
  ownColumns,
  type Row,
  type World,
  type WorldColumn,
  type WorldTable,
} from './world.ts'

/** Values with which many computations fail. */
const hostile: Readonly<Record<TypeName, readonly string[]>> = {
  bool: ['false', 'true'],
  int2: ['0', '-32768', '32767'],
  int4: ['0', '2147483647', '-2147483648'],
  int8: ['0', '9223372036854775807', '-9223372036854775808'],
  float8: ['0', '1e308', '-1'],
  numeric: ['0', '-1', '99999999.99'],
  text: ['CANARY', 'CAN\\', '', '0', '{'],
  uuid: ['ffffffff-ffff-4fff-bfff-ffffffffffff'],
  date: ['9999-12-31', '0001-01-01'],
  time: ['00:00:00'],
  timestamp: ['9999-12-31 23:59:59', '0001-01-01 00:00:00'],
  timestamptz: ['2037-12-31 00:00:00+00'],
  interval: ['1000 years', '-1 day'],
  bytea: ['\\x', '\\xff'],
  json: ['"CANARY"', '[]'],
  jsonb: ['"CANARY"', '[]', '0'],
  'int4[]': ['{}', '{2147483647,NULL}'],
  'text[]': ['{CANARY}', '{}'],
  mood: ['b', 'ab'],
}

export interface HiddenVariants {
  /** Other values, and more rows, in data that the caller does not see. */
  readonly hostile: World
  /** No data where the caller sees nothing, as far as possible. */
  readonly empty: World
  /** The number of changes in both together. */
  readonly changes: number
}

/**
 * Changes data that one caller does not see, a row or a cell at a time; a visible change is reverted.
 *
 * @param owner its schema `main` contains the world, `schema` the caller's views. Both are unchanged afterwards.
 * @param fixed columns that affect which rows are written.
 * @param mayStore a further requirement for a cell.
 */
export async function hiddenVariants(
  owner: DirectSubject,
  world: World,
  schema: string,
  random: Random,
  fixed: ReadonlySet<string>,
  mayStore: (cell: string) => boolean = () => true,
): Promise<HiddenVariants> {
  const look = lookText(world, schema)
  const seen = await textOf(owner, look)
  const hidden = await hiddenParts(owner, world, schema)
  const build = async (
    changesOf: (part: HiddenPart) => readonly string[],
  ): Promise<{ readonly world: World; readonly count: number }> => {
    let count = 0
    await owner.client.query('begin; set constraints all immediate')
    try {
      for (const part of hidden) {
        for (const change of changesOf(part)) {
          await owner.client.query('savepoint change')
          const isInvisible = await holds(owner, change, look, seen)
          if (isInvisible) count += 1
          else await owner.client.query('rollback to savepoint change')
        }
      }
      return { world: { ...world, rows: await storedRows(owner, world) }, count }
    } finally {
      await owner.client.query('rollback')
    }
  }
  const other = await build((part) => hostileChanges(random, part, fixed, mayStore))
  const none = await build((part) => emptying(part, fixed))
  return { hostile: other.world, empty: none.world, changes: other.count + none.count }
}

async function holds(
  { client }: DirectSubject,
  change: string,
  look: string,
  seen: string,
): Promise<boolean> {
  try {
    await client.query(change)
    const { rows } = await client.query<{ text: string }>(look)
    return rows[0]?.text === seen
  } catch {
    // A constraint that the change violates: treated like a visible change.
    return false
  }
}

/** The visible part of a world: visible rows with their keys, and the allowed operations on each. */
function lookText({ tables }: World, schema: string): string {
  const parts = tables.flatMap(({ name }) => [
    `(select jsonb_agg(to_jsonb(x) order by x.raw_id) from ${schema}.s_${name} x)`,
    `(select jsonb_agg(to_jsonb(x) order by x.id) from ${schema}.f_${name} x)`,
  ])
  return `select jsonb_build_array(${parts.join(', ')})::text as text`
}

async function textOf({ client }: DirectSubject, sql: string): Promise<string> {
  const { rows } = await client.query<{ text: string }>(sql)
  return rows[0]?.text ?? ''
}

/** A row that is completely hidden, or has a hidden cell. */
interface HiddenPart {
  readonly table: WorldTable
  readonly id: string
  readonly isRow: boolean
  readonly columns: readonly WorldColumn[]
}

async function hiddenParts(
  owner: DirectSubject,
  world: World,
  schema: string,
): Promise<readonly HiddenPart[]> {
  const parts: HiddenPart[] = []
  for (const table of world.tables.toReversed()) {
    const identity = identityOf(table)
    const masked = table.columns.map(({ name }) => `(s.${name} is null and b.${name} is not null)`)
    const { rows } = await owner.client.query<{ id: number; isrow: boolean; masked: boolean[] }>(
      `select b.${identity} as id, s.raw_id is null as isrow, array[${masked.join(', ')}] as masked
       from main.${table.name} b left join ${schema}.s_${table.name} s on s.raw_id = b.${identity} order by 1`,
    )
    for (const row of rows) {
      const columns = table.columns.filter(
        ({ name, generated }, i) =>
          name !== 'id' &&
          name !== identity &&
          generated === undefined &&
          (row.isrow || row.masked[i] === true),
      )
      if (columns.length > 0) parts.push({ table, id: String(row.id), isRow: row.isrow, columns })
    }
  }
  return parts
}

function hostileChanges(
  random: Random,
  { table, id, isRow, columns }: HiddenPart,
  fixed: ReadonlySet<string>,
  mayStore: (cell: string) => boolean,
): readonly string[] {
  const value = (column: WorldColumn) => constant(hostileCell(random, column, mayStore), column)
  const free = columns.filter(
    ({ name }) =>
      table.foreignKeys.every((key) => key.column !== name) && (isRow || !fixed.has(name)),
  )
  const sets = free.map((column) => `${column.name} = ${value(column)}`)
  const changes = isRow
    ? [`update main.${table.name} set ${sets.join(', ')} where ${identityOf(table)} = ${id}`]
    : sets.map((set) => `update main.${table.name} set ${set} where ${identityOf(table)} = ${id}`)
  if (!isRow || !random.chance(60)) return sets.length === 0 ? [] : changes
  const copyIds = [1, 2, 3].map((times) => Number(id) + times * 20)
  const own = ownColumns(table)
  const { hasTwins, hasChild } = shapeOf(table)
  const copyId = String(random.pick(hasChild ? copyIds.filter(isChildIdentity) : copyIds))
  const twinId = String(random.integer(1, 8))
  const copy = own.map((column) =>
    column.name === 'id' || column.name === tagName
      ? column.name === 'id' && hasTwins
        ? twinId
        : copyId
      : free.includes(column)
        ? value(column)
        : column.name,
  )
  const names = own.map(({ name }) => name).join(', ')
  const place = `main.${table.name}${hasChild ? '_c' : ''}`
  const insert = `insert into ${place} (${names}) select ${copy.join(', ')} from main.${table.name} where ${identityOf(table)} = ${id}`
  return [...(sets.length === 0 ? [] : changes), insert]
}

function emptying(
  { table, id, isRow, columns }: HiddenPart,
  fixed: ReadonlySet<string>,
): readonly string[] {
  if (isRow) return [`delete from main.${table.name} where ${identityOf(table)} = ${id}`]
  return columns
    .filter(({ name, isNullable }) => isNullable && !fixed.has(name))
    .map(
      ({ name }) =>
        `update main.${table.name} set ${name} = null where ${identityOf(table)} = ${id}`,
    )
}

function hostileCell(
  random: Random,
  column: WorldColumn,
  mayStore: (cell: string) => boolean,
): Cell {
  if (column.stored === 'numeric(10,2)') return random.pick(hostile.numeric)
  const cell = storable(random.pick(hostile[column.type].filter(mayStore)), column.stored)
  return column.list === undefined ? cell : withinDomain(cell, column)
}

function constant(cell: Cell, { stored }: WorldColumn): string {
  return cell === null ? 'null' : `${quoted(cell)}::${stored}`
}

async function storedRows(
  owner: DirectSubject,
  { tables }: World,
): Promise<ReadonlyMap<string, readonly Row[]>> {
  const rows = new Map<string, readonly Row[]>()
  for (const { name, columns } of tables) {
    const texts = columns.map((column) => `${column.name}::text`).join(', ')
    const result = await owner.rows(`select ${texts} from main.${name} order by 1`)
    rows.set(
      name,
      result.map((row) => row.map((cell) => (cell === null ? null : String(cell)))),
    )
  }
  return rows
}

/** Loads a world into the schemas of its variants. */
export async function loadVariants(
  owner: DirectSubject,
  worlds: readonly World[],
  schemas: readonly string[],
): Promise<void> {
  for (const [i, world] of worlds.entries()) {
    await owner.client.query(postgresWorld(world, schemas[i] ?? `w${i}`))
  }
}
