/** docs/compatibility.md names what the tests try with each client. Written anew with `vitest -u`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suites } from '@engine/client-programs'
import { wireClients } from '@engine/wire-clients'
import { expect, test } from 'vitest'

interface Row {
  readonly client: string
  readonly version: string
  readonly path: string
  readonly tried: string
}

interface Package {
  readonly devDependencies: Readonly<Record<string, string>>
}

const { devDependencies } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8'),
) as Package

/** The version of an npm package that the tests use. */
function versionOf(name: string): string {
  const version = devDependencies[name]
  if (version === undefined) throw new Error(`${name} is no dependency of the tests`)
  return version.replace(/^npm:.*@/, '')
}

/** Packages of Debian 12, where the tests take these clients from. */
const debian = 'Debian 12: '

const wireVersions: Readonly<Record<string, string>> = {
  protocol: '3.0 and 3.2',
  psql: `${debian}15`,
  'node-postgres': versionOf('pg'),
  'postgres.js': versionOf('postgres'),
  tools: 'catalog queries of DBeaver, Metabase, pgAdmin, Grafana and others',
  psycopg2: `${debian}2.9`,
  'psycopg 3': `${debian}3.1`,
  asyncpg: `${debian}0.27`,
  SQLAlchemy: `${debian}1.4`,
  pgjdbc: `${debian}42.5`,
  'DBD::Pg': `${debian}3.16`,
  pgbench: `${debian}15`,
}

const programVersions: Readonly<Record<string, string>> = {
  'Drizzle 0.45': versionOf('drizzle-orm'),
  'Drizzle 1.0': versionOf('drizzle-orm-v1'),
  'Kysely 0.29': versionOf('kysely'),
}

const rows: readonly Row[] = [
  ...suites.map(({ name, programs }) => ({
    client: name,
    version: known(programVersions, name),
    path: '`POST /data`',
    tried: `${programs.length} programs on PostgreSQL, SQLite and MariaDB, each compared with a direct connection to PostgreSQL`,
  })),
  ...wireClients.map(({ name, checks }) => ({
    client: name === 'protocol' ? 'messages of the protocol' : name,
    version: known(wireVersions, name),
    path: 'wire protocol',
    tried: `${checks.length} checks, passed by PostgreSQL itself, over PostgreSQL and SQLite`,
  })),
]

function known(versions: Readonly<Record<string, string>>, name: string): string {
  const version = versions[name]
  if (version === undefined) throw new Error(`the version of ${name} is not said here`)
  return version
}

const table = [
  '| client | version | path | tried |',
  '|---|---|---|---|',
  ...rows.map(
    ({ client, version, path, tried }) => `| ${client} | ${version} | ${path} | ${tried} |`,
  ),
].join('\n')

test('docs/compatibility.md has the table of what is tried', async () => {
  const path = join(import.meta.dirname, '../../../../docs/compatibility.md')
  const text = readFileSync(path, 'utf8')
  const [begin, end] = ['<!-- generated: clients -->\n', '\n<!-- /generated -->']
  const from = text.indexOf(begin) + begin.length
  const to = text.indexOf(end)
  expect(from).toBeGreaterThan(begin.length)
  await expect(text.slice(0, from) + table + text.slice(to)).toMatchFileSnapshot(path)
})
