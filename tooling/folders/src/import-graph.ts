/** @module Imports between the folders of a package, read from the import lines of its sources. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'

/** An import of one file by another of the same package. Paths are relative to the sources. */
export interface FileImport {
  readonly from: string
  readonly to: string
}

/** @param directory a package's `src`. Tests and their support are left out. */
export function readImports(directory: string): readonly FileImport[] {
  return globSync('**/*.ts', { cwd: directory })
    .filter((file) => !/\.test\.ts$|\.d\.ts$|test-support\//.test(file))
    .flatMap((from) => importsOf(readFileSync(join(directory, from), 'utf8'), from))
}

/** The relative imports and re-exports of a source text, including those of types. */
export function importsOf(text: string, from: string): readonly FileImport[] {
  return [...text.matchAll(/^(?:import|export)\s[^']*?from '(\.[^']*)'$/gm)].map(
    ([, path = '']) => ({
      from,
      to: normalize(join(dirname(from), path)),
    }),
  )
}

/** Imports that leave their folder. */
export function betweenFolders(imports: readonly FileImport[]): readonly FileImport[] {
  return imports.filter(({ from, to }) => dirname(from) !== dirname(to))
}
