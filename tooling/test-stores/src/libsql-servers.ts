/** @module libSQL servers for one test after another: to start one takes longer than most tests. */
import { type LibsqlServer, startLibsql } from '@engine/test-databases'

const idle: LibsqlServer[] = []

/** A server with an empty database, for exclusive use until `giveBack`. */
export async function takeLibsql(): Promise<LibsqlServer> {
  return idle.pop() ?? (await startLibsql())
}

/** Drops everything in the database; the next `takeLibsql` may return the server. */
export async function giveBack(server: LibsqlServer): Promise<void> {
  const objects = await ask(server, [
    `select type, name from sqlite_schema where type in ('view', 'table') and name not like 'sqlite\\_%' escape '\\' order by type desc`,
  ])
  await ask(server, [
    'pragma foreign_keys = off',
    ...objects.map(([type, name]) => `drop ${type} "${name}"`),
  ])
  idle.push(server)
}

/** Stops the servers that no test uses. */
export async function stopIdle(): Promise<void> {
  await Promise.all(idle.splice(0).map((server) => server.stop()))
}

interface Answer {
  readonly results: readonly {
    readonly type: 'ok' | 'error'
    readonly response?: {
      readonly result?: { readonly rows: readonly (readonly { readonly value: string }[])[] }
    }
  }[]
}

/** Runs statements on one connection. @returns the rows of the first. */
async function ask(
  { url }: LibsqlServer,
  statements: readonly string[],
): Promise<readonly (readonly string[])[]> {
  const requests = [
    ...statements.map((sql) => ({ type: 'execute', stmt: { sql } })),
    { type: 'close' },
  ]
  const body = JSON.stringify({ requests })
  const response = await fetch(`${url}/v2/pipeline`, { method: 'POST', body })
  const text = await response.text()
  const { results } = JSON.parse(text) as Answer
  if (results.some(({ type }) => type === 'error')) throw new Error(`libSQL: ${text}`)
  const rows = results[0]?.response?.result?.rows ?? []
  return rows.map((row) => row.map(({ value }) => value))
}
