/** @module Servers that this machine does not have, from Debian's newer suite, kept in the cache of this project. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ArchiveError, type DebianArchive, openArchive } from './debian-archive.ts'
import { makeRoot, type RootContent } from './server-root.ts'

/** A kind of server that can be fetched. */
export type FetchedKind = 'mysql' | 'mariadb' | 'postgresql'

/** A server in a directory of its own. */
export type FetchedServer =
  | {
      readonly kind: 'root'
      readonly path: string
      /** Of the package: `9.7.4-1`. */
      readonly version: string
    }
  | { readonly kind: 'missing'; readonly reason: string }

interface Recipe {
  /** The name of its package, the newest where the archive has several. */
  readonly packageIn: (archive: DebianArchive) => string
  /** Other packages that have a part of it. */
  readonly others?: readonly string[]
  readonly contentOf: (packageName: string) => RootContent
}

const recipes: Readonly<Record<FetchedKind, Recipe>> = {
  mysql: {
    packageIn: () => 'mysql-server-core',
    contentOf: () => ({
      paths: ['usr/lib/mysql', 'usr/share/mysql'],
      programs: ['usr/sbin/mysqld'],
      lastArguments: { 'usr/sbin/mysqld': ['--basedir={root}/usr'] },
    }),
  },
  mariadb: {
    packageIn: () => 'mariadb-server-core',
    others: ['mariadb-client-core'],
    contentOf: () => ({
      paths: [
        'usr/lib/mysql',
        'usr/share/mariadb',
        'usr/share/mysql',
        'usr/bin/mariadb-install-db',
      ],
      programs: ['usr/sbin/mariadbd', 'usr/bin/my_print_defaults', 'usr/bin/resolveip'],
      lastArguments: { 'usr/sbin/mariadbd': ['--basedir={root}/usr'] },
    }),
  },
  postgresql: {
    packageIn: (archive) => {
      const names = archive.search('^postgresql-[0-9]+$')
      const newest = Math.max(...names.map((name) => Number(name.split('-')[1])))
      return `postgresql-${newest}`
    },
    contentOf: (name) => {
      const programs = `usr/lib/postgresql/${name.split('-')[1]}`
      return {
        paths: [`${programs}/lib`, 'usr/share/postgresql'],
        programs: [`${programs}/bin/postgres`, `${programs}/bin/initdb`],
      }
    },
  },
}

const cache = fileURLToPath(
  new URL('../../../../node_modules/.cache/engine/servers', import.meta.url),
)

/** After that time the archive is asked for a newer version. */
const freshForMs = 7 * 24 * 3600 * 1000

/** Why a server could not be fetched, by its place in the cache: this process does not try again. */
const failures = new Map<string, string>()

/**
 * Fetches servers that the cache does not have, or that may be old, and returns them in the same order.
 *
 * @param directory of the cache
 * @throws {Error} when a package cannot be unpacked.
 */
export function fetchServers(
  kinds: readonly FetchedKind[],
  env: NodeJS.ProcessEnv = process.env,
  directory: string = cache,
): readonly FetchedServer[] {
  if (env['TEST_FETCH'] === 'false') {
    return kinds.map(() => ({ kind: 'missing', reason: 'TEST_FETCH=false forbids to fetch one' }))
  }
  const wanted = kinds.filter(
    (kind) => !(failures.has(join(directory, kind)) || isFresh(cachedServer(kind, directory))),
  )
  if (wanted.length > 0) fetchAll(wanted, directory)
  return kinds.map((kind) => {
    const found = cachedServer(kind, directory)
    if (found !== undefined) return found
    const reason = failures.get(join(directory, kind))
    return { kind: 'missing', reason: `none could be fetched from Debian: ${reason}` }
  })
}

/** The server of an earlier run. */
export function cachedServer(
  kind: FetchedKind,
  directory: string = cache,
): Extract<FetchedServer, { readonly kind: 'root' }> | undefined {
  const parent = join(directory, kind)
  if (!existsSync(parent)) return undefined
  const [version] = readdirSync(parent)
    .filter((name) => !name.startsWith('.'))
    .toSorted((a, b) => modifiedMs(join(parent, b)) - modifiedMs(join(parent, a)))
  return version === undefined ? undefined : { kind: 'root', path: join(parent, version), version }
}

function isFresh(found: FetchedServer | undefined): boolean {
  return found?.kind === 'root' && Date.now() - modifiedMs(found.path) < freshForMs
}

function modifiedMs(path: string): number {
  return statSync(path).mtimeMs
}

function fetchAll(kinds: readonly FetchedKind[], directory: string): void {
  const lists = mkdtempSync(join(tmpdir(), 'engine-apt-'))
  const attempt = (affected: readonly FetchedKind[], fetch: () => void): void => {
    try {
      fetch()
    } catch (error) {
      if (!(error instanceof ArchiveError)) throw error
      for (const kind of affected) failures.set(join(directory, kind), error.message)
    }
  }
  try {
    attempt(kinds, () => {
      const archive = openArchive(lists)
      for (const kind of kinds) attempt([kind], () => fetchOne(kind, archive, directory))
    })
  } finally {
    rmSync(lists, { recursive: true, force: true })
  }
}

function fetchOne(kind: FetchedKind, archive: DebianArchive, directory: string): void {
  const { packageIn, others = [], contentOf } = recipes[kind]
  const name = packageIn(archive)
  const version = archive.versionOf(name)
  const parent = join(directory, kind)
  const path = join(parent, version.replace(/^\d+:/, ''))
  if (existsSync(path)) {
    const now = new Date()
    utimesSync(path, now, now)
    return
  }
  const files = archive.download(name, ...others)
  mkdirSync(parent, { recursive: true })
  const unfinished = mkdtempSync(join(parent, '.unfinished-'))
  try {
    makeRoot(join(unfinished, 'root'), files, contentOf(name))
    // Renaming is atomic: an interrupted or a concurrent run leaves no incomplete server.
    if (!existsSync(path)) renameSync(join(unfinished, 'root'), path)
    for (const older of readdirSync(parent)) {
      if (join(parent, older) !== path) rmSync(join(parent, older), { recursive: true })
    }
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}
