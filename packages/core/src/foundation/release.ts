/** @module Versions of the packages that work together: all are released at once, with one version. */
import { createRequire } from 'node:module'
import { GatewayError } from './errors.ts'

const require = createRequire(import.meta.url)

/**
 * Fails where a package is of another release than this one: an adapter enforces what this package has decided, and must know
 * all of it. Package managers warn of such a mixture, and may install it.
 *
 * @throws {GatewayError} `invalidConfiguration` with the command that mends it.
 */
export function requireRelease(packageName: string, version: string): void {
  const { version: ours } = require('@engine/core/package.json') as { readonly version: string }
  if (fitsRelease(ours, version)) return
  throw new GatewayError(
    'invalidConfiguration',
    `${packageName} ${version} does not work with @engine/core ${ours}. Update all packages of @engine together, for example: npm install @engine/core@latest ${packageName}@latest`,
  )
}

/** Returns whether a version of core is in the range `^version` of another package; a pre-release fits itself alone. */
export function fitsRelease(core: string, version: string): boolean {
  if (core === version) return true
  const ours = numbersOf(core)
  const wanted = numbersOf(version)
  if (ours === undefined || wanted === undefined) return false
  // What may break is the first number, before 1.0 the second.
  const fixed = wanted[0] > 0 ? 1 : wanted[1] > 0 ? 2 : 3
  const differs = ours.findIndex((number, index) => number !== wanted[index])
  return differs === -1 || (differs >= fixed && (ours[differs] ?? 0) > (wanted[differs] ?? 0))
}

function numbersOf(version: string): readonly [number, number, number] | undefined {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)$/.exec(version) ?? []
  return major === undefined ? undefined : [Number(major), Number(minor), Number(patch)]
}
