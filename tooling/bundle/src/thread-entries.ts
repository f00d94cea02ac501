/** @module Files that are started by address, as a thread or a process, are entries of the bundle, too. */
import { dirname, join } from 'node:path'
import type { Plugin } from 'rolldown'

/**
 * Adds the file of `new URL(isSource ? './worker.ts' : './worker.js', import.meta.url)` as `dist/worker.js`. Every built
 * file of a package is in `dist` itself, so that the address is right wherever the code around it ends up.
 */
export function threadEntries(): Plugin {
  return {
    name: 'thread-entries',
    transform: {
      filter: { code: 'import.meta.url' },
      handler(code, path) {
        for (const name of startedByAddress(code)) {
          this.emitFile({
            type: 'chunk',
            id: join(dirname(path), `${name}.ts`),
            fileName: `${name}.js`,
          })
        }
      },
    },
  }
}

/** `['worker']` for the address above. */
export function startedByAddress(code: string): readonly string[] {
  return [...code.matchAll(/(['"])\.\/([\w-]+)\.ts\1\s*:\s*\1\.\/\2\.js\1/g)].map(
    ([, , name = '']) => name,
  )
}
