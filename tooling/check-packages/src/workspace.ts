import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A package of this repository that is published. */
export interface WorkspacePackage {
  readonly name: string
  /** Absolute path. */
  readonly directory: string
}

/** Absolute path of the repository. */
export const repositoryRoot: string = fileURLToPath(new URL('../../../', import.meta.url))

/** Every package below `packages/` and `apps/` that is not private, by name. */
export function publishablePackages(): readonly WorkspacePackage[] {
  return ['packages', 'apps']
    .flatMap((group) => readdirSync(join(repositoryRoot, group)).map((name) => join(group, name)))
    .map((path) => join(repositoryRoot, path))
    .filter((directory) => existsSync(join(directory, 'package.json')))
    .map((directory) => ({ directory, ...readManifest(directory) }))
    .filter((manifest) => !manifest.private)
    .map(({ name, directory }) => ({ name, directory }))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
}

function readManifest(directory: string): { readonly name: string; readonly private?: boolean } {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
}
