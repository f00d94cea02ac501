/** @module The page about options of a configuration: types and defaults from the checks, words from docs/configuration.md. */
import { connect as csv } from '@engine/adapters-csv'
import { connect as sqlite } from '@engine/adapters-sqlite'
import { type DescribedOption, describeConfiguration } from '@engine/core/server'
import { code, markdownTable, pageHead } from './markdown.ts'

/** The adapters with options of their own. */
export const optionAdapters = {
  '@engine/adapters-csv': csv,
  '@engine/adapters-sqlite': sqlite,
} as const

/** @param page text of docs/configuration.md */
export function optionReference(page: string): string {
  const words = wordsIn(page)
  const sections = Map.groupBy(uniqueOptions(), ({ path }) => path.split(/[.[]/)[0] ?? '')
  const parts = [...sections].map(([section, options]) => {
    const rows = options.map((option) => [
      code(option.path),
      option.type === 'value' && options.length > 1 ? 'object' : option.type,
      option.builtIn === undefined
        ? (words.get(option.path)?.builtIn ?? '')
        : code(JSON.stringify(option.builtIn)),
      words.get(option.path)?.means ?? '',
    ])
    return `## ${section}\n\n${markdownTable(['option', 'type', 'default', 'means'], rows)}\n`
  })
  return `${pageHead(
    'Options',
    'Every option of a configuration, with the type and the default of the check that reads it.',
  )}
Examples and explanations are on the page about the [configuration](../configuration.md).

${parts.join('\n')}`
}

/** An option that several forms of a connection have is one option. */
function uniqueOptions(): readonly DescribedOption[] {
  return [
    ...new Map(
      describeConfiguration(optionAdapters).map((option) => [option.path, option]),
    ).values(),
  ]
}

/** What the page says about an option. */
interface OptionWords {
  /** Its default, in words where no check has it. */
  readonly builtIn: string
  readonly means: string
}

/** The last two cells of rows such as `| \`limits.maxRows\` | 10000 | rows of an answer |`. */
function wordsIn(page: string): ReadonlyMap<string, OptionWords> {
  const rows = page.matchAll(/^\| `([^`\s]+)` \|(.*)\|$/gm)
  return new Map(
    [...rows].map(([, path = '', cells = '']): [string, OptionWords] => {
      const [builtIn = '', means = ''] = cells.split(/(?<!\\)\|/).map(inPlace)
      return [path, { builtIn, means }]
    }),
  )
}

/** A cell with its links as they are from the page about options. */
function inPlace(cell: string): string {
  const links = cell.trim().replaceAll('](#', '](configuration.md#')
  return links.replaceAll(/\]\((?![a-z]+:)/g, '](../')
}
