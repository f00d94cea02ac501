import { fileURLToPath } from 'node:url'
import { publishedPackages, readManifest } from '@engine/bundle'

/** A package of this repository that is published. */
export interface WorkspacePackage {
  readonly name: string
  /** Absolute path. */
  readonly directory: string
}

/** Absolute path of the repository. */
export const repositoryRoot: string = fileURLToPath(new URL('../../../', import.meta.url))

/** Every package that is published, by name. */
export function publishablePackages(): readonly WorkspacePackage[] {
  return publishedPackages()
    .map((directory) => ({ directory, name: readManifest(directory).name }))
    .sort((left, right) => (left.name < right.name ? -1 : 1))
}
