/** @module A directory with one server and the libraries that it needs, from packages of Debian. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** What is kept of the packages of a server; paths are relative to the root. */
export interface RootContent {
  /** Directories and files. */
  readonly paths: readonly string[]
  /** Programs; those that the packages do not have are left out. */
  readonly programs: readonly string[]
  /** Arguments that each program gets after its own, where `{root}` is the directory. */
  readonly lastArguments?: Readonly<Record<string, readonly string[]>>
}

/**
 * Unpacks packages into `root`: the libraries, what `content` names, and a launcher in the place of each program.
 *
 * @throws {Error} when a package cannot be unpacked.
 */
export function makeRoot(root: string, packages: readonly string[], content: RootContent): void {
  const all = `${root}.all`
  for (const path of packages) {
    const { status, stderr, error } = spawnSync('dpkg-deb', ['-x', path, all], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`dpkg-deb -x ${path} failed:\n${stderr}`, { cause: error })
  }
  const libraries = librariesOf(all)
  for (const name of readdirSync(join(all, libraries))) {
    if (/\.so(\.|$)/.test(name)) move(all, root, join(libraries, name))
  }
  for (const path of [...content.paths, ...content.programs]) {
    if (existsSync(join(all, path))) move(all, root, path)
  }
  for (const program of content.programs) {
    if (!existsSync(join(root, program))) continue
    writeLauncher(root, libraries, program, content.lastArguments?.[program] ?? [])
  }
}

/** `usr/lib/x86_64-linux-gnu`: where the packages have the C library. */
function librariesOf(all: string): string {
  const found = readdirSync(join(all, 'usr/lib')).find((name) =>
    existsSync(join(all, 'usr/lib', name, 'libc.so.6')),
  )
  if (found === undefined) throw new Error('the packages have no C library')
  return join('usr/lib', found)
}

function move(from: string, to: string, path: string): void {
  mkdirSync(dirname(join(to, path)), { recursive: true })
  renameSync(join(from, path), join(to, path))
}

/**
 * The root may be moved: a launcher finds it from its own place. The program is started by the loader of its own C
 * library, which may be newer than the machine's.
 */
function writeLauncher(
  root: string,
  libraries: string,
  program: string,
  lastArguments: readonly string[],
): void {
  const path = join(root, program)
  if (!statSync(path).isFile()) throw new Error(`${program} is not a program`)
  const loader = readdirSync(join(root, libraries)).find((name) =>
    /^ld-linux.*\.so\.\d+$/.test(name),
  )
  if (loader === undefined) throw new Error(`${libraries} has no loader`)
  renameSync(path, `${path}.program`)
  const upwards = program
    .split('/')
    .slice(1)
    .map(() => '..')
    .join('/')
  const script = [
    '#!/bin/sh',
    `root=$(cd "$(dirname "$0")/${upwards}" && pwd -P) || exit`,
    `program=$root/${program}`,
    `exec "$root/${libraries}/${loader}" --library-path "$root/${libraries}" --argv0 "$program" \\`,
    `  "$program.program" "$@"${lastArguments.map((each) => ` "${each.replace('{root}', '$root')}"`).join('')}`,
    '',
  ]
  writeFileSync(path, script.join('\n'), { mode: 0o755 })
}

/** The directory with the root that a launcher belongs to; undefined where `path` is no launcher. */
export function rootOf(path: string): string | undefined {
  if (!existsSync(`${path}.program`)) return undefined
  let root = dirname(path)
  while (basename(root) !== 'usr') root = dirname(root)
  return dirname(root)
}
