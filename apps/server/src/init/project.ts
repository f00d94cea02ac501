/** @module The folder that a configuration is written into. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isModulePackage } from './package-text.ts'

export interface Project {
  /** Absolute. */
  readonly folder: string
  /** The text of its package.json; undefined where there is none. */
  readonly manifest: string | undefined
  /** Is it inside the repository of the engine, whose own scripts start the server? */
  readonly isCheckout: boolean
  /** `ts`, or `mts` where the package is not one of modules. */
  readonly extension: 'ts' | 'mts'
}

export function projectIn(folder: string): Project {
  const path = join(folder, 'package.json')
  const manifest = existsSync(path) ? readFileSync(path, 'utf8') : undefined
  const isModule = manifest === undefined || isModulePackage(manifest)
  return { folder, manifest, isCheckout: isInCheckout(folder), extension: isModule ? 'ts' : 'mts' }
}

/** A name for a new package. */
export function packageName({ folder }: Project): string {
  const name = basename(folder)
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[._-]+/, '')
  return name === '' ? 'engine-project' : name
}

/** Files with secrets and accounts that git would take. None outside a repository with git. */
export function unignored(folder: string, names: readonly string[]): readonly string[] {
  return names.filter(
    (name) => spawnSync('git', ['check-ignore', '-q', name], { cwd: folder }).status !== 0,
  )
}

function isInCheckout(folder: string): boolean {
  const server = join(folder, 'apps', 'server', 'package.json')
  if (existsSync(server)) return readFileSync(server, 'utf8').includes('"@engine/server"')
  const parent = dirname(folder)
  return parent !== folder && isInCheckout(parent)
}
