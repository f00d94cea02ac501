/** @module The dependencies whose code is part of our own built files. */
import { packageDirectory } from './licences.ts'
import type { Manifest } from './published-packages.ts'

/**
 * They have hundreds of small files, of which most are for what nothing here uses: to link those takes longer than to
 * link all files of this repository. They pass no instance to other packages that is recognised by its class.
 */
const included: readonly string[] = ['kysely', 'zod']

/** A peer dependency is the application's: only real dependencies are included. */
export function includedDependencies({
  dependencies = {},
}: Pick<Manifest, 'dependencies'>): (id: string) => boolean {
  const names = included.filter((name) => Object.hasOwn(dependencies, name))
  return (id) => names.some((name) => id === name || id.startsWith(`${name}/`))
}

/** @param path of a file of the bundle. */
export function isDependency(path: string): boolean {
  return packageDirectory(path) !== undefined
}
