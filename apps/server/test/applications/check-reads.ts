/**
 * @module Reads every column of a table: unchanged, filtered, ordered, grouped, cast; and joins the tables of its
 * relations.
 */
import type { SchemaDocument } from '@engine/contract'
import type { Table } from '@engine/core/catalog'
import { canonicalText } from '@engine/corpus/compare-rows'
import { type Asking, pathOf, quoted, type Row, sortedText } from './ask.ts'

/** Types without equality in PostgreSQL. */
const withoutEquality = /^(json|xml|point)$/

/** Types with an order but without min and max. */
const withoutExtremes =
  /^(jsonb|boolean|uuid|bytea|bit|"char"|name|tsvector|macaddr|money|oid|address|span_of_money)|range$/

const isNumber = /^(smallint|integer|bigint|numeric|real|double)[^[]*$/

const isText = /^(text|character)[^[]*$/

export async function checkReads(
  asking: Asking,
  schema: SchemaDocument,
  table: Table,
): Promise<void> {
  const rows = await asking.rows({ sql: `select * from ${pathOf(table)}` })
  if (rows === undefined) return
  const everything = table.columns.map(({ name }) => `t.${quoted(name)}`).join(', ')
  await asking.expectRows({ sql: `select ${everything} from ${pathOf(table)} as t` }, rows)
  const described = schema.connections[table.connection]?.tables[table.name]
  for (const { name, ordinal } of table.columns) {
    const type = described?.columns[name]?.type ?? ''
    await checkColumn(
      asking,
      { path: pathOf(table), column: quoted(name), type },
      rows.map((row) => row[ordinal]),
    )
  }
  await checkRelations(asking, table, rows.length)
}

/** The number of rows of a join equals the number of matching pairs. */
async function checkRelations(asking: Asking, table: Table, count: number): Promise<void> {
  for (const { from, to, through, ...relation } of table.relationships.values()) {
    if (through !== undefined) continue
    const target = `${table.connection}.${quoted(relation.table)}`
    const on = from
      .map((name, index) => `a.${quoted(name)} = b.${quoted(to[index] ?? '')}`)
      .join(' and ')
    const pairs = `select count(*) from ${pathOf(table)} as a join ${target} as b on ${on}`
    const found = await asking.rows({ sql: pairs })
    const perRow = `select count(*) from ${target} as b where ${on}`
    await asking.expectRows(
      { sql: `select sum((${perRow})) from ${pathOf(table)} as a` },
      count === 0 ? [[null]] : (found ?? []),
    )
  }
}

interface ColumnPlace {
  readonly path: string
  readonly column: string
  readonly type: string
}

async function checkColumn(asking: Asking, place: ColumnPlace, values: Row): Promise<void> {
  const { path, column, type } = place
  const present = values.filter((value) => value !== null)
  const nulls = values.length - present.length
  await asking.expectRows({ sql: `select count(*) from ${path} where ${column} is null` }, [
    [String(nulls)],
  ])
  await asking.rows({ sql: `select cast(${column} as text) from ${path}` })
  if (withoutEquality.test(type)) return

  const distinct = [...new Map(present.map((value) => [canonicalText(value), value])).values()]
  const count = (wanted: unknown) =>
    String(present.filter((value) => canonicalText(value) === canonicalText(wanted)).length)
  for (const value of distinct.slice(0, 2)) {
    const sql = `select count(*) from ${path} where ${column} = $1`
    await asking.expectRows({ sql, params: [value] }, [[count(value)]])
  }
  if (distinct.length > 0) {
    const places = distinct.map((_, index) => `$${index + 1}`).join(', ')
    const sql = `select ${column} from ${path} where ${column} in (${places})`
    await asking.expectRows(
      { sql, params: distinct },
      present.map((value) => [value]),
    )
  }
  await asking.expectRows({ sql: `select ${column}, count(*) from ${path} group by ${column}` }, [
    ...distinct.map((value) => [value, count(value)]),
    ...(nulls === 0 ? [] : [[null, String(nulls)]]),
  ])
  await checkOrder(asking, place, values)
  if (isText.test(type)) await checkText(asking, place, present)
}

async function checkOrder(
  asking: Asking,
  { path, column, type }: ColumnPlace,
  values: Row,
): Promise<void> {
  const ascending = { sql: `select ${column} from ${path} order by ${column}` }
  const descending = { sql: `select ${column} from ${path} order by ${column} desc` }
  const up = (await asking.rows(ascending))?.map(([value]) => value)
  const down = (await asking.rows(descending))?.map(([value]) => value)
  if (up === undefined || down === undefined) return
  if (canonicalText(up) !== canonicalText(down.toReversed())) {
    asking.complain(descending, 'not the other way round')
  }
  if (sortedText(up.map((value) => [value])) !== sortedText(values.map((value) => [value]))) {
    asking.complain(ascending, 'other values')
  }
  const present = values.filter((value) => value !== null)
  if (up.indexOf(null) !== -1 && up.indexOf(null) < present.length) {
    asking.complain(ascending, 'NULLs are not last')
  }
  const numbers = up.slice(0, present.length).map(Number)
  if (isNumber.test(type) && numbers.some((each, index) => each > (numbers[index + 1] ?? each))) {
    asking.complain(ascending, canonicalText(up))
  }
  if (withoutExtremes.test(type)) return
  await asking.expectRows({ sql: `select min(${column}), max(${column}) from ${path}` }, [
    [up[0] ?? null, up[present.length - 1] ?? null],
  ])
}

async function checkText(
  asking: Asking,
  { path, column }: ColumnPlace,
  present: Row,
): Promise<void> {
  const texts = present.map(String)
  const sql = `select lower(${column}), length(${column}), ${column} || 'x' from ${path}`
  await asking.rows({ sql })
  const [first] = texts
  if (first === undefined) return
  const start = Array.from(first.trimEnd()).slice(0, 3).join('')
  const pattern = `${start.replaceAll(/[\\%_]/g, '\\$&')}%`
  await asking.expectRows(
    { sql: `select ${column} from ${path} where ${column} like $1`, params: [pattern] },
    texts.filter((text) => text.startsWith(start)).map((text) => [text]),
  )
}
