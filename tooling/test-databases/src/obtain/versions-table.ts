/** @module The table of docs/databases.md about the versions that tests have run on. */
import type { ServerOfRun } from '../processes/servers-of-run.ts'

/** A server that a run of tests has used. */
export type UsedServer = Extract<ServerOfRun, { readonly version: string }>

const [begin, end] = ['<!-- versions that were run -->', '<!-- end of versions -->']

/**
 * The servers that were used once, with those of another run: each counts instead of an earlier one of its name and major
 * version.
 */
export function mergeServers(
  recorded: readonly UsedServer[],
  used: readonly ServerOfRun[],
): readonly UsedServer[] {
  const found = used.filter((server): server is UsedServer => 'version' in server)
  const replaced = new Set(found.map(keyOf))
  return [...recorded.filter((server) => !replaced.has(keyOf(server))), ...found].toSorted(
    (a, b) => order.indexOf(a.name) - order.indexOf(b.name) || compareVersions(a, b),
  )
}

const order: readonly string[] = ['PostgreSQL', 'MariaDB', 'MySQL']

/** `PostgreSQL 15`, `MariaDB 10.11` */
function keyOf({ name, version }: UsedServer): string {
  return `${name} ${version
    .split('.')
    .slice(0, name === 'PostgreSQL' ? 1 : 2)
    .join('.')}`
}

function compareVersions(a: UsedServer, b: UsedServer): number {
  return a.version.localeCompare(b.version, 'en', { numeric: true })
}

/** Puts the table of the servers between its two comments in a page. */
export function withVersions(page: string, servers: readonly UsedServer[]): string {
  const start = page.indexOf(begin)
  const stop = page.indexOf(end)
  if (start < 0 || stop < start) throw new Error('the page has no place for the table of versions')
  const rows = servers.map(({ name, version, tests }) => `| ${name} | ${version} | ${tests} |`)
  const table = ['| database | version | tests |', '|---|---|---|', ...rows].join('\n')
  return `${page.slice(0, start)}${begin}\n${table}\n${page.slice(stop)}`
}
