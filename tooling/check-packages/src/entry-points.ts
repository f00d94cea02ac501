import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { publishablePackages } from './workspace.ts'

/** A module that users of a published package can import. */
export interface EntryPoint {
  /** As it is imported: `@engine/client/auth`. */
  readonly entryPoint: string
  /** Absolute path of its source. */
  readonly file: string
}

interface Manifest {
  readonly name: string
  readonly exports: Readonly<Record<string, string | { readonly '@engine/source'?: string }>>
}

/** Every entry point of every published package. */
export function publicEntryPoints(): readonly EntryPoint[] {
  return publishablePackages().flatMap(({ directory }) => {
    const manifest: Manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'))
    return Object.entries(manifest.exports).flatMap(([path, target]) => {
      const source = typeof target === 'string' ? undefined : target['@engine/source']
      if (source === undefined) return []
      return [{ entryPoint: manifest.name + path.slice(1), file: join(directory, source) }]
    })
  })
}
