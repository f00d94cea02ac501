import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** An installed package. */
export interface InstalledPackage {
  readonly name: string
  readonly version: string
  /** SPDX expression; undefined where `package.json` has none. */
  readonly license?: string
}

interface Manifest extends InstalledPackage {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** Everything that users of some packages get: those, their dependencies, and so on; optional ones where they are installed here. */
export function productionDependencies(
  directories: readonly string[],
): readonly InstalledPackage[] {
  const found = new Map<string, Manifest>()
  const waiting = directories.map((directory) => realpathSync(directory))
  for (let directory = waiting.pop(); directory !== undefined; directory = waiting.pop()) {
    if (found.has(directory)) continue
    const manifest: Manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
    found.set(directory, manifest)
    const { dependencies = {}, optionalDependencies = {} } = manifest
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const needed = installedDirectory(directory, name)
      if (needed !== undefined) waiting.push(needed)
      else if (!Object.hasOwn(optionalDependencies, name)) {
        throw new Error(`${manifest.name} needs ${name}, which is not installed`)
      }
    }
  }
  return [...found.values()]
}

/** As Node.js looks a package up from a directory. */
function installedDirectory(from: string, name: string): string | undefined {
  const path = join(from, 'node_modules', name)
  if (existsSync(path)) return realpathSync(path)
  const parent = dirname(from)
  return parent === from ? undefined : installedDirectory(parent, name)
}
