/** @module Generated Drizzle schemas and Kysely find, for each relation, the rows that a join finds. */
import { createClient } from '@engine/client'
import { engineDialect } from '@engine/client/kysely'
import type { Table } from '@engine/core/catalog'
import { Kysely } from 'kysely'
import type { TestGateway } from '../support/gateway.ts'
import { type Asking, pathOf, quoted } from './ask.ts'
import type { GeneratedTable, LinkedRow } from './generated-schemas.ts'

type Relationship = Table['relationships'] extends ReadonlyMap<string, infer Value> ? Value : never

/** Complains about relations that are missing or find other rows. */
export async function checkDrizzle(
  asking: Asking,
  table: Table,
  generated: ReadonlyMap<string, GeneratedTable>,
  drizzleVersion: 0 | 1,
): Promise<void> {
  const own = generated.get(table.name)
  const complain = (relation: string, reason: string) =>
    asking.complain({ sql: `${table.name}.${relation} in Drizzle ${drizzleVersion}` }, reason)
  if (own === undefined) {
    complain('', 'no such table')
    return
  }
  for (const relation of table.relationships.values()) {
    // 0.45 has no relations through junctions.
    if (relation.through !== undefined && drizzleVersion === 0) continue
    const key = relationKey(relation.name, own)
    if (key === undefined) {
      // Between a table and itself, or several junctions: the schema does not name the junction.
      if (relation.through === undefined) complain(relation.name, 'no such relation')
      continue
    }
    try {
      const rows = await own.rowsWith(key)
      const pairs = rows.flatMap((row) => linkedRows(row[key]).map((linked) => ({ row, linked })))
      const expected = await asking.rows({ sql: joinOf(table, relation) })
      if (String(expected?.[0]?.[0]) !== String(pairs.length)) {
        complain(key, `${pairs.length} rows, and not ${expected?.[0]?.[0]}`)
      }
      const far = generated.get(relation.table)
      const isWrong =
        relation.through === undefined &&
        pairs.some(({ row, linked }) =>
          relation.from.some(
            (column, index) =>
              String(row[own.columns.get(column) ?? '']) !==
              String(linked[far?.columns.get(relation.to[index] ?? '') ?? '']),
          ),
        )
      if (isWrong) complain(key, 'rows of another key')
    } catch (error) {
      complain(key, reasonOf(error))
    }
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message
}

function relationKey(name: string, { relations }: GeneratedTable): string | undefined {
  const plain = (text: string) => text.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase()
  return relations.find((key) => [plain(name), `${plain(name)}relation`].includes(plain(key)))
}

function linkedRows(value: unknown): readonly LinkedRow[] {
  if (value === null || value === undefined) return []
  return Array.isArray(value) ? value : [value as LinkedRow]
}

function joinOf(table: Table, { table: far, from, to, through }: Relationship): string {
  const target = `${table.connection}.${quoted(far)}`
  const on = (left: string, own: readonly string[], right: string, other: readonly string[]) =>
    own
      .map((name, index) => `${left}.${quoted(name)} = ${right}.${quoted(other[index] ?? '')}`)
      .join(' and ')
  const start = `select count(*) from ${pathOf(table)} as a join`
  if (through === undefined) return `${start} ${target} as b on ${on('a', from, 'b', to)}`
  const junction = `${table.connection}.${quoted(through.table)}`
  return `${start} ${junction} as j on ${on('a', from, 'j', through.from)} join ${target} as b on ${on('j', through.to, 'b', to)}`
}

/** Complains unless Kysely reads each table, and joins it with those of its relations. */
export async function checkKysely(
  asking: Asking,
  gateway: TestGateway,
  tables: readonly Table[],
): Promise<void> {
  const client = createClient({
    url: 'http://gateway.test',
    fetch: async (url, init) => gateway.fetch(new Request(url, init)),
  })
  const db = new Kysely<Record<string, Record<string, unknown>>>({ dialect: engineDialect(client) })
  for (const table of tables) {
    const path = `${table.connection}.${table.name}`
    const rows = await db.selectFrom(path).selectAll().execute()
    await asking.expectRows({ sql: `select count(*) from ${pathOf(table)}` }, [
      [String(rows.length)],
    ])
    for (const relation of table.relationships.values()) {
      if (relation.through !== undefined) continue
      const joined = await db
        .selectFrom(`${path} as a`)
        .innerJoin(`${table.connection}.${relation.table} as b`, (join) =>
          relation.from.reduce(
            (all, column, index) => all.onRef(`a.${column}`, '=', `b.${relation.to[index]}`),
            join,
          ),
        )
        .selectAll('b')
        .execute()
      await asking.expectRows({ sql: joinOf(table, relation) }, [[String(joined.length)]])
    }
  }
}
