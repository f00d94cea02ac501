/** @module The order of folders. A folder imports from folders below it and from its own floor, imports of types included. */

/** The packages whose folders may not import in a circle, by path. */
export const packagesWithoutCircles: readonly string[] = [
  'packages/contract',
  'packages/core',
  'packages/pgwire',
  'packages/adapters-libsql',
]

/** The floors of `packages/core/src`, the lowest first. */
export const floorsOfCore: readonly string[] = [
  'foundation',
  'compiler',
  'config',
  'runtime',
  'service',
  'engine',
  'entry-points',
]
