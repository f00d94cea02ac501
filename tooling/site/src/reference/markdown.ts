/** @module Pieces of generated pages. */

/**
 * The first lines of every generated page.
 *
 * @param kind `wide`: with tables of many columns, see .vitepress/theme/style.css; `unsearched`: the search does not find it.
 */
export function pageHead(title: string, description: string, kind?: 'wide' | 'unsearched'): string {
  const more = { wide: 'pageClass: wide\n', unsearched: 'search: false\n', plain: '' }
  const width = more[kind ?? 'plain']
  return `---\n${width}outline: [2, 3]\ndescription: ${JSON.stringify(description)}\n---\n\n# ${title}\n\n${description}\n`
}

/** A table; cells are Markdown on one line. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) => `| ${cells.map(inCell).join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
}

/** A table with a column for each database; the first column stays in view. */
export function databaseTable(
  title: string,
  databases: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  return `<div class="databases">\n\n${markdownTable([title, ...databases], rows)}\n\n</div>`
}

function inCell(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').replaceAll(/(?<!\\)\|/g, '\\|')
}

/** `code`, whatever it contains. */
export function code(text: string): string {
  return text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``
}

/** Text with Markdown's code in it, such that nothing outside of code is read as an element of HTML or as a template. */
export function safeText(markdown: string): string {
  return markdown
    .split(/(```[\s\S]*?```|`[^`]*`)/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replaceAll('<', '&lt;').replaceAll('{{', '&#123;&#123;'),
    )
    .join('')
}
