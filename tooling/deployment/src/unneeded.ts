/** A file of an installed package. */
export interface InstalledFile {
  /** `better-sqlite3` */
  readonly packageName: string
  /** From the package's directory on, with `/`: `lib/index.js`. */
  readonly path: string
}

/** Returns whether no program of a server reads a file. `machine` is `linux-x64`, as native code is named for it. */
export function isUnneeded({ packageName, path }: InstalledFile, machine: string): boolean {
  if (/(?:^|\/)(?:licence|license|notice|copying|authors)[^/]*$/i.test(path)) return false
  return (
    /\.(?:map|ts|mts|cts|tsx|flow|md|markdown|tsbuildinfo)$/.test(path) ||
    (/^prebuilds\/.*\.node$/.test(path) && path !== `prebuilds/${machine}.node`) ||
    (ofPackages[packageName]?.test(path) ?? false)
  )
}

const ofPackages: Readonly<Record<string, RegExp>> = {
  // SQLite as C, which is compiled where there is no native code for the machine.
  'better-sqlite3': /^(?:deps|src)\//,
  // Extensions of PostgreSQL.
  '@electric-sql/pglite': /\.tar\.gz$/,
  // The same code for script elements of pages, and what it was made of.
  '@zxcvbn-ts/language-common': /^src\/|zxcvbn-ts\.js$/,
  'csv-parse': /^dist\/(?:iife|umd)\//,
  // Data of measurements.
  bintrees: /^(?:examples|test)\//,
}
