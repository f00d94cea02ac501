/**
 * @module The answer of `GET /schema` for an application, and its rows, as text that a reviewer can compare with its
 * SQL.
 */
import type { ColumnDescription, SchemaDocument } from '@engine/contract'
import type { Table } from '@engine/core/catalog'
import { type Asking, pathOf } from './ask.ts'

export async function describeApplication(
  asking: Asking,
  schema: SchemaDocument,
  tables: readonly Table[],
): Promise<string> {
  const parts: string[] = []
  for (const table of tables) {
    const { columns = {}, relationships = {} } =
      schema.connections[table.connection]?.tables[table.name] ?? {}
    const rows = (await asking.rows({ sql: `select * from ${pathOf(table)}` })) ?? []
    const lines = [
      `${table.kind} ${table.name}`,
      ...Object.entries(columns).map(([name, column]) => `  ${columnText(name, column)}`),
      ...Object.entries(relationships).map(([name, { type, table: target, from, to }]) => {
        const there = target.slice(table.connection.length + 1)
        return `  ${name} -> ${there}: ${type}, (${[from].flat().join(', ')}) to (${[to].flat().join(', ')})`
      }),
      ...rows.map((row) => `  ${JSON.stringify(row, sortedKeys)}`).toSorted(),
    ]
    parts.push(`${lines.join('\n')}\n`)
  }
  return parts.join('\n')
}

function columnText(
  name: string,
  { type, nullable, hasDefault, primaryKey, ...more }: ColumnDescription,
): string {
  const facts = [
    ...(nullable ? ['null'] : []),
    ...(hasDefault ? ['default'] : []),
    ...(primaryKey ? ['key'] : []),
  ]
  const { domain, enum: values, set, comment } = more
  return [
    `${name}:`,
    type,
    ...(domain === undefined ? [] : [`domain ${domain}`]),
    ...(facts.length > 0 ? [`(${facts.join(', ')})`] : []),
    ...(values === undefined ? [] : [`one of ${JSON.stringify(values)}`]),
    ...(set === undefined ? [] : [`some of ${JSON.stringify(set)}`]),
    ...(comment === undefined ? [] : [`-- ${comment}`]),
  ].join(' ')
}

/** Databases keep the keys of a document in different orders. */
function sortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
