/** @module The data directory of a new MariaDB or MySQL: to create one takes seconds, so each is a copy of the first. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rootOf } from '../fetch/server-root.ts'
import type { ServerHome } from '../processes/private-server.ts'
import type { ServerUser } from '../processes/server-user.ts'
import type { MysqlPrograms } from './find-mysql.ts'

const cache = fileURLToPath(
  new URL('../../../../node_modules/.cache/engine/server-data', import.meta.url),
)

/**
 * Creates a data directory in which `root` has no password.
 *
 * @param found the programs where they were found: their files tell whether a copy is theirs
 * @param programs the same, where the server's user can run them
 * @param data path of the directory, below `home`
 * @param options of the server that are decided here for ever: how names of tables are kept
 * @throws {Error} when the programs fail.
 */
export function createMysqlData(
  found: MysqlPrograms,
  programs: MysqlPrograms,
  home: ServerHome,
  data: string,
  options: readonly string[],
): void {
  const words = [...wordsOf(found.vendor), ...options]
  const template = join(cache, nameOf(found, words))
  if (!existsSync(template)) {
    initialise(programs, home, data, words)
    keep(data, template)
  } else {
    cpSync(template, data, { recursive: true })
    if (home.user) giveTo(data, home.user)
  }
}

/** No variable of ours (MYSQL_HOST, a locale) may reach the server. */
export function mysqlEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' }
}

function nameOf(
  { vendor, server, initialise: program }: MysqlPrograms,
  words: readonly string[],
): string {
  const facts = [server, `${server}.program`, program].flatMap((path) => {
    if (!existsSync(path)) return []
    const { size, mtimeMs } = statSync(path)
    return [size, mtimeMs]
  })
  const hash = createHash('sha256').update(JSON.stringify([facts, words]))
  return `${vendor}-${hash.digest('hex').slice(0, 16)}`
}

function wordsOf(vendor: MysqlPrograms['vendor']): readonly string[] {
  return vendor === 'mariadb'
    ? ['--auth-root-authentication-method=normal', '--skip-test-db', '--skip-name-resolve']
    : ['--initialize-insecure']
}

function initialise(
  { vendor, server, initialise: program }: MysqlPrograms,
  { path, user }: ServerHome,
  data: string,
  words: readonly string[],
): void {
  const root = rootOf(server)
  // The launcher of a fetched MySQL has it already.
  const base = root === undefined || vendor === 'mysql' ? [] : [`--basedir=${join(root, 'usr')}`]
  const { status, stdout, stderr, error } = spawnSync(
    program,
    ['--no-defaults', `--datadir=${data}`, ...base, ...words],
    // The server that it starts would share `/tmp` with others: see `--tmpdir`.
    { ...user, cwd: path, env: { ...mysqlEnvironment(), TMPDIR: path }, encoding: 'utf8' },
  )
  if (status !== 0) throw new Error(`${program} failed:\n${stdout}\n${stderr}`, { cause: error })
}

/** Copies are not removed while another process reads them: only those that are older than a day. */
const keptForMs = 24 * 3600 * 1000

function keep(data: string, template: string): void {
  mkdirSync(cache, { recursive: true })
  for (const name of readdirSync(cache)) {
    const path = join(cache, name)
    if (Date.now() - statSync(path).mtimeMs > keptForMs) rmSync(path, { recursive: true })
  }
  const unfinished = mkdtempSync(join(cache, 'unfinished-'))
  cpSync(data, join(unfinished, 'data'), { recursive: true })
  // Renaming is atomic. Another process may have been faster.
  if (!existsSync(template)) renameSync(join(unfinished, 'data'), template)
  rmSync(unfinished, { recursive: true })
}

function giveTo(path: string, user: ServerUser): void {
  chownSync(path, user.uid, user.gid)
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const each = join(path, entry.name)
    if (entry.isDirectory()) giveTo(each, user)
    else chownSync(each, user.uid, user.gid)
  }
}
