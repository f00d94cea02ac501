/** @module The layout of every adapter package: the same thing has the same name and place in each. */

/** The files of an adapter's `src`. Each adapter has the first three; the others where its database needs them. */
export const filesOfAdapters: readonly string[] = [
  'index.ts',
  'adapter.ts',
  'options.ts',
  'traits.ts',
  'compile.ts',
  'dialect.ts',
]

/** The files that every adapter has. */
export const filesOfEveryAdapter: readonly string[] = ['index.ts', 'adapter.ts', 'options.ts']

/** The folders of an adapter's `src`. */
export const foldersOfAdapters: readonly string[] = [
  'print',
  'introspection',
  'driver',
  'errors',
  'values',
  'service',
]

/** What one database has and others don't. */
export const foldersOfOneAdapter: Readonly<Record<string, readonly string[]>> = {
  'adapters-csv': ['directory', 'format', 'load', 'types', 'write-back'],
  'adapters-mysql': ['server'],
  'adapters-sqlite': ['functions'],
}

/** Names in an adapter's `src` that the layout does not know. Tests stand beside what they test. */
export function outsideOfLayout(adapter: string, names: readonly string[]): readonly string[] {
  const known = new Set([
    ...filesOfAdapters,
    ...foldersOfAdapters,
    ...(foldersOfOneAdapter[adapter] ?? []),
  ])
  return names.filter((name) => !known.has(name.replace(/\.test\.ts$/, '.ts')))
}
