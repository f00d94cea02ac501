/** @module Pieces of generated pages. */

/** The first lines of every generated page. `editLink: false`: its source is code. */
export function pageHead(title: string, description: string): string {
  return `---\neditLink: false\noutline: [2, 3]\ndescription: ${JSON.stringify(description)}\n---\n\n# ${title}\n\n${description}\n`
}

/** A table; cells are Markdown on one line. */
export function markdownTable(
  head: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]) => `| ${cells.map(inCell).join(' | ')} |`
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n')
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
