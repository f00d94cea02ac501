/**
 * @module Bundles packages whose sources have changed since the last time.
 *
 *   node tooling/bundle/src/main.ts            every published package
 *   node tooling/bundle/src/main.ts DIRECTORY  one, as its `build` script does
 */
import { resolve } from 'node:path'
import { bundleStale } from './bundle-stale.ts'
import { publishedPackages } from './published-packages.ts'

const given = process.argv.slice(2).map((directory) => resolve(directory))
await bundleStale(given.length > 0 ? given : publishedPackages())
