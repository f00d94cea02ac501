import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { copyTree } from '../src/fetch/copy-tree.ts'
import { ArchiveError, openArchive } from '../src/fetch/debian-archive.ts'
import { cachedServer, type FetchedKind, fetchServers } from '../src/fetch/fetch-server.ts'
import { mysqlProgramsOf, postgresProgramsOf } from '../src/fetch/fetched-programs.ts'
import { makeRoot } from '../src/fetch/server-root.ts'
import { startMysqlFrom } from '../src/mysql/mysql-server.ts'
import { mysqlVersion } from '../src/mysql/mysql-version.ts'
import { startPostgresFrom } from '../src/postgres/postgres-server.ts'
import { postgresVersion } from '../src/postgres/postgres-version.ts'

let directory: string
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'engine-fetched-'))
})
afterAll(() => rmSync(directory, { recursive: true }))

test('an archive that cannot be reached is an error of its own kind', () => {
  const files = mkdtempSync(join(directory, 'apt-'))
  expect(() => openArchive(files, 'http://127.0.0.1:1/debian')).toThrow(ArchiveError)
})

test('where nothing may be fetched, a server is missing', () => {
  const env = { TEST_FETCH: 'false' }
  expect(fetchServers(['mysql', 'postgresql'], env, directory)).toEqual([
    { kind: 'missing', reason: expect.stringContaining('TEST_FETCH') },
    { kind: 'missing', reason: expect.stringContaining('TEST_FETCH') },
  ])
})

test('a package that cannot be unpacked is a failure, not a missing server', () => {
  const broken = join(directory, 'broken.deb')
  writeFileSync(broken, 'not a package')
  expect(() => makeRoot(join(directory, 'root'), [broken], { paths: [], programs: [] })).toThrow(
    /broken\.deb failed/,
  )
})

describe('a fetched server', () => {
  /** Which the global setup has fetched, where a test of this run needs it. */
  const each = (['mysql', 'mariadb', 'postgresql'] as const).flatMap((kind) => {
    const server = cachedServer(kind)
    return server === undefined ? [] : [{ ...server, server: kind }]
  })

  test.each(each)('$server $version runs', async ({ server, path, version }) => {
    expect(version).toContain(await versionFrom(server, path))
  })

  test.each(each)(
    '$server $version runs from a directory that its user cannot enter',
    async ({ server, path, version }) => {
      const closed = mkdtempSync(join(directory, 'closed-'))
      copyTree(path, join(closed, 'root'))
      chmodSync(closed, 0o700)
      expect(version).toContain(await versionFrom(server, join(closed, 'root')))
    },
  )
})

/** The version that the server says while it runs. */
async function versionFrom(kind: FetchedKind, root: string): Promise<string> {
  expect(existsSync(root)).toBe(true)
  const server =
    kind === 'postgresql'
      ? await startPostgresFrom(postgresProgramsOf(root))
      : await startMysqlFrom(mysqlProgramsOf(kind, root))
  try {
    const version =
      kind === 'postgresql' ? await postgresVersion(server.url) : await mysqlVersion(server.url)
    return version.split('-')[0] ?? ''
  } finally {
    await server.stop()
  }
}
