/** @module Bundles the JavaScript of published packages; their declarations come from `tsc`. */
export { bundleStale } from './bundle-stale.ts'
export { publishedPackages, readManifest } from './published-packages.ts'
