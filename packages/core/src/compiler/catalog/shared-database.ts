/**
 * @module Several connections that are the schemas of one database. Clients, permissions and `GET /schema` name each of them; a
 * statement runs on the database, whose tables have keys: `orders` of the first schema, `auth.users` of another one.
 */
import type { Connection, Table } from './catalog.ts'
import { findTable } from './partitions.ts'

/** The connection that statements on this one run on: with the tables of all connections of the same database. */
export function databaseOf(connection: Connection): Connection {
  return connection.shared ?? connection
}

/** `accounts.users` → `auth.users`, the key of the table in its database; other texts stay. */
export function keyOfAddress(text: string, members: Connection['members']): string {
  for (const [name, schema] of members ?? []) {
    if (text.startsWith(`${name}.`)) return keyIn(schema, text.slice(name.length + 1), members)
  }
  return text
}

/** The key of a table of one schema. */
export function keyIn(schema: string, table: string, members: Connection['members']): string {
  const [first] = members?.values() ?? []
  return schema === first ? table : `${schema}.${table}`
}

/** The connection and the name by which clients address the table with this key; it need not exist. */
export function addressOfKey(
  connection: Connection,
  key: string,
): { readonly connection: string; readonly table: string } {
  const { name, members } = connection
  const known = findTable(connection, key)
  if (known !== undefined) return { connection: known.connection, table: known.name }
  for (const [member, schema] of members ?? []) {
    if (key.startsWith(`${schema}.`)) {
      return { connection: member, table: key.slice(schema.length + 1) }
    }
  }
  return { connection: name, table: key }
}

/** The table that a configuration names: `main.orders`, `accounts.users`. */
export function tableAt(database: Connection, path: string): Table | undefined {
  const dot = path.indexOf('.')
  const connection = path.slice(0, Math.max(dot, 0))
  const name = path.slice(dot + 1)
  const { members } = database
  if (members === undefined) {
    return connection === database.name ? findTable(database, name) : undefined
  }
  const schema = members.get(connection)
  const table = schema === undefined ? undefined : findTable(database, keyIn(schema, name, members))
  return table?.connection === connection ? table : undefined
}
