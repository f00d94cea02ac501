import type { Config } from '@engine/core'
import { changesBetween, documentOf, type Revision } from '@engine/core/server'
import { type Finding, ok, warning } from './finding.ts'

/** The most options that are named; the others are counted. */
const mostNamed = 20

/** In interactive mode the stored options are served: those in code that differ have no effect. */
export function checkStoredConfiguration(
  code: Config,
  revision: Revision | undefined,
): readonly Finding[] {
  const about = 'mode'
  if (revision === undefined) {
    return [ok(about, 'interactive: the first start stores this configuration')]
  }
  const stored = `revision ${revision.revision} is served`
  const different = changesBetween(documentOf(code), revision.document)
    .filter(({ before }) => before !== undefined)
    .map(({ path }) => path.join('.'))
  if (different.length === 0) return [ok(about, `interactive: ${stored}, with the options in code`)]
  const more = different.length - mostNamed
  return [
    ok(about, `interactive: ${stored}`),
    ...different
      .slice(0, mostNamed)
      .map((path) => warning(path, `differs from the stored configuration: ${stored}`)),
    ...(more > 0
      ? [warning(about, `${more} more options in code differ from the stored ones`)]
      : []),
  ]
}
