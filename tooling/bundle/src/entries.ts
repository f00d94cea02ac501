import { basename, join } from 'node:path'
import type { Manifest } from './published-packages.ts'

/**
 * The sources that users of a package load, by the name of the built file: `{ application: 'src/entry-points/application.ts' }`
 * for `dist/application.js`.
 */
export function entriesOf({ name, exports, bin = {} }: Manifest): Readonly<Record<string, string>> {
  const exported = Object.values(exports).flatMap((target) =>
    typeof target === 'string' ? [] : [[target['default'], target['@engine/source']] as const],
  )
  const programs = Object.values(bin).map((built) => [built, sourceOf(built)] as const)
  return Object.fromEntries(
    [...exported, ...programs].map(([built, source]) => {
      const [, entry] = /^\.\/dist\/([\w-]+)\.js$/.exec(built ?? '') ?? []
      if (entry === undefined || source === undefined || basename(source) !== `${entry}.ts`) {
        throw new Error(`${name}: ${built} is not the built file of ${source}`)
      }
      return [entry, join(source)]
    }),
  )
}

function sourceOf(built: string): string {
  return built.replace('/dist/', '/src/').replace(/\.js$/, '.ts')
}
