/** @module The page about options of a configuration: types and defaults from the checks, words from docs/configuration.md. */
import { type DescribedOption, describeConfiguration } from '@engine/core/server'
import { code, markdownTable, pageHead } from './markdown.ts'

/** @param page text of docs/configuration.md */
export function optionReference(page: string): string {
  const meanings = meaningsIn(page)
  const sections = Map.groupBy(uniqueOptions(), ({ path }) => path.split(/[.[]/)[0] ?? '')
  const parts = [...sections].map(([section, options]) => {
    const rows = options.map((option) => [
      code(option.path),
      option.type === 'value' && options.length > 1 ? 'object' : option.type,
      option.builtIn === undefined ? '' : code(JSON.stringify(option.builtIn)),
      meanings.get(option.path) ?? '',
    ])
    return `## ${section}\n\n${markdownTable(['option', 'type', 'default', 'means'], rows)}\n`
  })
  return `${pageHead(
    'Options',
    'Every option of a configuration, with the type and the default of the check that reads it.',
  )}
Examples and explanations are on the page about the [configuration](../configuration.md). An empty default is none, or one that depends on
other options: the other page says which.

${parts.join('\n')}`
}

/** An option that several forms of a connection have is one option. */
function uniqueOptions(): readonly DescribedOption[] {
  return [...new Map(describeConfiguration().map((option) => [option.path, option])).values()]
}

/** The last cells of rows such as `| \`limits.maxRows\` | 10000 | rows of an answer |`. */
function meaningsIn(page: string): ReadonlyMap<string, string> {
  const rows = page.matchAll(/^\| `([^`\s]+)` \|(.*)\|$/gm)
  return new Map(
    [...rows].map(([, path = '', cells = '']): [string, string] => {
      const means =
        cells
          .split(/(?<!\\)\|/)
          .at(-1)
          ?.trim() ?? ''
      const inPlace = means.replaceAll('](#', '](configuration.md#')
      return [path, inPlace.replaceAll(/\]\((?![a-z]+:)/g, '](../')]
    }),
  )
}
