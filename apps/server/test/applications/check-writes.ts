/** @module Writes every row of a table again: each column's own value, another value and back, and the defaults. */
import type { Column, Table } from '@engine/core/catalog'
import { canonicalText } from '@engine/corpus/compare-rows'
import type { TestGateway } from '../support/gateway.ts'
import { type Asking, pathOf, quoted, type Row, type Statement } from './ask.ts'

/** Columns that the database sets itself when a row is written. */
const touched = /^(last_update|fulltext|updated_at)$/

export async function checkWrites(
  asking: Asking,
  gateway: TestGateway,
  table: Table,
): Promise<void> {
  if (table.kind !== 'table') return
  const key = keyOf(table)
  if (key === undefined) return
  const rows = await asking.rows({ sql: `select * from ${pathOf(table)}` })
  for (const row of rows ?? []) {
    const where = placesOf(table, key, row)
    if (where === undefined) continue
    await checkUpdates(asking, table, row, where)
    await checkReplacement(asking, gateway, table, row, where)
  }
}

interface Where {
  readonly sql: string
  readonly params: Row
}

function keyOf(table: Table): readonly number[] | undefined {
  return [table.primaryKey, ...table.uniqueKeys].find((key) => key.length > 0)
}

/** Undefined where a part of the key is NULL. */
function placesOf(table: Table, key: readonly number[], row: Row): Where | undefined {
  const params = key.map((ordinal) => row[ordinal])
  if (params.includes(null)) return undefined
  const parts = key.map(
    (ordinal, index) => `${quoted(table.columns[ordinal]?.name ?? '')} = $${index + 1}`,
  )
  return { sql: parts.join(' and '), params }
}

async function checkUpdates(asking: Asking, table: Table, row: Row, where: Where): Promise<void> {
  const writable = table.columns.filter(isWritable)
  for (const columns of [...writable.map((column) => [column]), writable]) {
    if (columns.length === 0) continue
    const sets = columns.map(
      ({ name }, index) => `${quoted(name)} = $${where.params.length + index + 1}`,
    )
    const statement = {
      sql: `update ${pathOf(table)} set ${sets.join(', ')} where ${where.sql} returning *`,
      params: [...where.params, ...columns.map(({ ordinal }) => row[ordinal])],
    }
    const [changed] = (await asking.rows(statement)) ?? []
    if (changed !== undefined) complainOfChanges(asking, statement, table, row, changed)
  }
}

/** Deletes and inserts in one transaction; a row that other rows refer to stays, and the answer must report that. */
async function checkReplacement(
  asking: Asking,
  gateway: TestGateway,
  table: Table,
  row: Row,
  where: Where,
): Promise<void> {
  // A row that gets another number on insert cannot be found again.
  const key = table.primaryKey.map((ordinal) => table.columns[ordinal])
  if (key.some((column) => column?.generated === 'identity')) return
  const writable = table.columns.filter(isWritable)
  const needed = writable.filter(
    ({ ordinal, nullable, hasDefault }) =>
      table.primaryKey.includes(ordinal) || (!nullable && !hasDefault),
  )
  for (const columns of [needed, writable]) {
    const away = {
      sql: `delete from ${pathOf(table)} where ${where.sql} returning *`,
      params: where.params,
    }
    const back = insertOf(table, columns, row)
    const { status, body } = await gateway.post(
      '/data/batch',
      JSON.stringify({
        statements: [away, back].map((statement) => ({ params: [], ...statement, method: 'all' })),
      }),
    )
    // Other rows refer to it.
    if (status === 409) return
    if (status !== 200) {
      asking.complain(back, `${status} ${JSON.stringify(body)}`)
      continue
    }
    const [removed, added] = (body as { results: { rows: readonly Row[] }[] }).results
    complainOfChanges(
      asking,
      away,
      table,
      row,
      removed?.rows[0] ?? [],
      columns !== needed && needed,
    )
    if (columns === writable) complainOfChanges(asking, back, table, row, added?.rows[0] ?? [])
  }
}

function insertOf(table: Table, columns: readonly Column[], row: Row): Statement {
  if (columns.length === 0)
    return { sql: `insert into ${pathOf(table)} default values returning *` }
  const names = columns.map(({ name }) => quoted(name)).join(', ')
  const places = columns.map((_, index) => `$${index + 1}`).join(', ')
  return {
    sql: `insert into ${pathOf(table)} (${names}) values (${places}) returning *`,
    params: columns.map(({ ordinal }) => row[ordinal]),
  }
}

/** @param among the columns that must be unchanged; false for all writable ones */
function complainOfChanges(
  asking: Asking,
  statement: Statement,
  table: Table,
  row: Row,
  changed: Row,
  among: readonly Column[] | false = false,
): void {
  for (const column of table.columns) {
    const { name, ordinal, generated } = column
    if (touched.test(name) || generated === 'identity') continue
    if (among !== false && !among.includes(column)) continue
    const [before, after] = [canonicalText(row[ordinal]), canonicalText(changed[ordinal])]
    if (before !== after) asking.complain(statement, `${name} was ${before}, is ${after}`)
  }
}

function isWritable({ generated }: Column): boolean {
  return generated === 'no'
}
