import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Absolute path of the repository. */
export const repositoryRoot: string = fileURLToPath(new URL('../../../', import.meta.url))

/** The part of a `package.json` that decides about the bundle. */
export interface Manifest {
  readonly name: string
  readonly private?: boolean
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
}

export function readManifest(directory: string): Manifest {
  return JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
}

/** Directories of our packages that are not private. Users of a checkout may have packages of their own below `apps`. */
export function publishedPackages(): readonly string[] {
  return ['packages', 'apps']
    .flatMap((group) => readdirSync(join(repositoryRoot, group)).map((name) => join(group, name)))
    .map((path) => join(repositoryRoot, path))
    .filter((directory) => existsSync(join(directory, 'package.json')))
    .filter((directory) => isPublished(readManifest(directory)))
}

function isPublished({ name, private: isPrivate }: Manifest): boolean {
  return isPrivate !== true && name?.startsWith('@engine/')
}
