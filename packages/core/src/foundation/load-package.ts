/** @module Loads optional packages that the application has installed. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { GatewayError } from './errors.ts'
import { requireRelease } from './release.ts'

/**
 * Imports an installed package and returns one of its exports.
 *
 * @param directory the application's directory: the search for packages starts there.
 * @throws {GatewayError} `invalidConfiguration` with the name of the package to install, or to update.
 */
export async function exportOf(
  packageName: string,
  directory: string,
  name: string,
): Promise<unknown> {
  const require = createRequire(join(directory, 'package.json'))
  let path: string
  try {
    path = require.resolve(packageName)
  } catch (cause) {
    throw new GatewayError(
      'invalidConfiguration',
      `The package ${packageName} is not installed: npm install ${packageName}`,
      { cause },
    )
  }
  const { version } = require(`${packageName}/package.json`) as { readonly version: string }
  requireRelease(packageName, version)
  const loaded: unknown = await import(pathToFileURL(path).href)
  if (typeof loaded === 'object' && loaded !== null && name in loaded) {
    return Reflect.get(loaded, name)
  }
  throw new GatewayError(
    'invalidConfiguration',
    `${packageName} is of another version: it has no ${name}.`,
  )
}
