import { quoted, sampleTexts } from '../grammar/literals.ts'
import { identityOf } from './random-world.ts'
import { isChildIdentity, shapeOf } from './shape.ts'
import type { OddIndex } from './table-shape.ts'
import type { Cell, Row, World, WorldColumn, WorldTable } from './world.ts'
import { ownColumns, rowsOf } from './world.ts'

/**
 * Statements that load a world into a schema of a PostgreSQL database, and replace its content.
 *
 * @param hasTriggers false where our own rows must be stored unchanged
 */
export function postgresWorld(world: World, schema: string, hasTriggers = true): string {
  const { tables } = world
  return [
    `drop schema if exists ${schema} cascade; create schema ${schema};`,
    tables.some(({ columns }) => columns.some(({ foldedOn }) => foldedOn === 'postgres'))
      ? foldingSql
      : '',
    tables.some(({ columns }) => columns.some(({ type }) => type === 'mood')) ? moodSql : '',
    ...tables.map((table) => createTable(table, schema)),
    postgresRows(world, schema),
    ...tables.flatMap((table) => oddIndexes(table, schema)),
    ...(hasTriggers ? tables.flatMap((table) => triggers(table, schema)) : []),
    ...tables.map(({ name }) => `analyze ${schema}.${name};`),
  ].join('\n')
}

/** The collation of folded columns; it belongs to the database. */
export const foldedCollation = 'public.fuzz_folded'

const foldingSql = `create collation if not exists ${foldedCollation} (provider = icu, locale = 'und-u-ks-level2', deterministic = false);`

/** The enum of the worlds; it belongs to the database. */
const moodSql = `do $$ begin create type public.mood as enum (${sampleTexts.mood.map(quoted).join(', ')}); exception when duplicate_object then null; end $$;`

/** Statements that insert rows into empty tables. */
export function postgresRows(world: World, schema: string): string {
  return world.tables
    .map((table) => insertRows(table, rowsOf(world, table.name), schema))
    .join('\n')
}

function createTable(table: WorldTable, schema: string): string {
  const { name, columns, unique, foreignKeys } = table
  const { key, deferrable, hasChild, partitionedBy } = shapeOf(table)
  const timing = deferrable === undefined ? '' : ` deferrable initially ${deferrable}`
  const parts = [
    ...columns.map((column) => columnDefinition(column, name, schema)),
    ...(key.length === 0 ? [] : [`primary key (${key.join(', ')})${timing}`]),
    ...(unique === undefined ? [] : [`unique (${unique})${timing}`]),
    ...foreignKeys.map(
      ({ column, table: target, onDelete }) =>
        `foreign key (${column}) references ${schema}.${target} (id)${onDelete === undefined ? '' : ` on delete ${onDelete}`}`,
    ),
  ]
  const full = `${schema}.${name}`
  const domains = columns.flatMap(({ domain, stored, name: column }) =>
    domain === undefined
      ? []
      : [`create domain ${schema}.${domainName(name, column)} as ${stored} check (${domain});`],
  )
  const range =
    partitionedBy === 'id' ? `from (${middle.join(') to (')})` : `from (${lower.join(') to (')})`
  return [
    ...domains,
    `create table ${full} (${parts.join(', ')})${partitionedBy === undefined ? '' : ` partition by range (${partitionedBy})`};`,
    ...(partitionedBy === undefined
      ? []
      : [
          `create table ${full}_p partition of ${full} for values ${range};`,
          `create table ${full}_q partition of ${full} default;`,
        ]),
    ...(hasChild ? [`create table ${full}_c () inherits (${full});`] : []),
  ].join(' ')
}

/** Ids, and values of `k`, in the first partition. */
const middle = ['3', '105'] as const
const lower = ['1', '3'] as const

function domainName(table: string, column: string): string {
  return `d_${table}_${column}`
}

function columnDefinition(column: WorldColumn, table: string, schema: string): string {
  const { name, stored, isNullable, generated, domain, foldedOn } = column
  const type = domain === undefined ? stored : `${schema}.${domainName(table, name)}`
  const collation = foldedOn === 'postgres' ? ` collate ${foldedCollation}` : ''
  if (generated !== undefined) {
    return `${name} ${type} generated always as (coalesce(${generated.column}, 0) % ${generated.modulo}) stored`
  }
  const text = column.default === undefined ? '' : ` default ${constant(column.default, column)}`
  return `${name} ${type}${collation}${isNullable ? '' : ' not null'}${text}${listCheck(column)}`
}

/** The condition of a column that allows the texts of a list. */
export function listCheck({ name, list }: WorldColumn): string {
  return list === undefined ? '' : ` check (${name} in (${list.map(quoted).join(', ')}))`
}

/** Indexes that the rows violate are left out. */
function oddIndexes(table: WorldTable, schema: string): readonly string[] {
  const { indexes, hasChild } = shapeOf(table)
  const columnOf = ({ column, form }: OddIndex): string => {
    if (form === 'folded') return `${column} collate ${foldedCollation}`
    return form === 'operators' ? `${column} text_pattern_ops` : column
  }
  return indexes.flatMap((index) => {
    const places = [`${schema}.${table.name}`, ...(hasChild ? [`${schema}.${table.name}_c`] : [])]
    const where = index.form === 'partial' ? ' where k > 1' : ''
    return places.map(
      (place) =>
        `do $$ begin ${index.form === 'folded' ? foldingSql : ''} create unique index on ${place} (${columnOf(index)})${where}; exception when unique_violation or feature_not_supported then null; end $$;`,
    )
  })
}

function triggers(table: WorldTable, schema: string): readonly string[] {
  const { triggers: all, hasChild } = shapeOf(table)
  const places = [table.name, ...(hasChild ? [`${table.name}_c`] : [])]
  return all.flatMap(({ when, does, column, value }, i) => {
    const name = `${schema}.trigger_${table.name}_${i}`
    const body =
      does === 'sets'
        ? `new.${column} := ${quoted(value)};`
        : `if new.${column} = ${quoted(value)} then raise exception 'no %', new.${column}; end if;`
    return [
      `create function ${name}() returns trigger language plpgsql as $f$ begin ${body} return new; end $f$;`,
      ...places.map(
        (place) =>
          `create trigger trigger_${i} ${when} insert or update on ${schema}.${place} for each row execute function ${name}();`,
      ),
    ]
  })
}

function insertRows(table: WorldTable, rows: readonly Row[], schema: string): string {
  const { hasChild } = shapeOf(table)
  const own = ownColumns(table)
  const places = own.map((column) => table.columns.indexOf(column))
  const into = (name: string, some: readonly Row[]): string => {
    if (some.length === 0) return ''
    const values = some.map(
      (row) =>
        `(${own.map((column, i) => constant(row[places[i] ?? 0] ?? null, column)).join(', ')})`,
    )
    return `insert into ${schema}.${name} (${own.map((column) => column.name).join(', ')}) values ${values.join(', ')};`
  }
  if (!hasChild) return into(table.name, rows)
  const identity = table.columns.findIndex(({ name }) => name === identityOf(table))
  const isInChild = (row: Row) => isChildIdentity(Number(row[identity]))
  const inChild = rows.filter(isInChild)
  const inParent = rows.filter((row) => !isInChild(row))
  return `${into(table.name, inParent)} ${into(`${table.name}_c`, inChild)}`
}

function constant(cell: Cell, column: WorldColumn | undefined): string {
  return cell === null ? 'null' : `${quoted(cell)}::${column?.stored ?? 'text'}`
}
