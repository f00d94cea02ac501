/** @module The licences of code that is included in our built files: they ask that their text goes along. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** May be included by code under the MIT licence. */
const accepted: readonly string[] = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause']

/**
 * @param paths of the files in a bundle.
 * @returns the text of the licences; undefined where every file is our own.
 * @throws {Error} for a package with another licence, or without its text.
 */
export function licencesOf(paths: readonly string[]): string | undefined {
  const found = paths.map(packageDirectory).filter((directory) => directory !== undefined)
  const directories = [...new Set(found)].sort()
  return directories.length === 0 ? undefined : directories.map(describe).join('\n')
}

/** `/x/node_modules/kysely` for `/x/node_modules/kysely/dist/index.js`. */
export function packageDirectory(path: string): string | undefined {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path)?.[0]
}

function describe(directory: string): string {
  const manifest = readFileSync(join(directory, 'package.json'), 'utf8')
  const { name, version, license } = JSON.parse(manifest) as Readonly<Record<string, string>>
  const file = readdirSync(directory).find((entry) =>
    /^(?:licence|license)(?:\.\w+)?$/i.test(entry),
  )
  if (license === undefined || !accepted.includes(license) || file === undefined) {
    throw new Error(`${name} cannot be included: its licence is ${license}, its text ${file}`)
  }
  return `${name} ${version}\n\n${readFileSync(join(directory, file), 'utf8')}`
}
