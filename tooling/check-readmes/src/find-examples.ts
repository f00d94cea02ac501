/** A block of a README that says of itself that it runs. */
export interface Example {
  readonly language: 'ts' | 'sh'
  readonly code: string
  /** Line of the opening fence, counted from 1. */
  readonly line: number
}

/** The line that stands before a fenced block that runs, blank lines between them allowed. */
const mark = '<!-- runnable -->'

/**
 * The examples of a Markdown text, in order.
 *
 * @throws {Error} when a mark is not followed by a closed block of `ts` or `sh`.
 */
export function findExamples(markdown: string): readonly Example[] {
  const lines = markdown.split(/\r?\n/)
  return lines.flatMap((line, index) => (line.trim() === mark ? [exampleAfter(lines, index)] : []))
}

function exampleAfter(lines: readonly string[], marked: number): Example {
  const opening = lines.findIndex((line, index) => index > marked && line.trim() !== '')
  const language = /^```(ts|sh)$/.exec(lines[opening]?.trim() ?? '')?.[1]
  const closing = lines.findIndex((line, index) => index > opening && line.trim() === '```')
  if (opening === -1 || closing === -1 || (language !== 'ts' && language !== 'sh')) {
    throw new Error(`line ${marked + 1}: ${mark} is not followed by a block of ts or sh`)
  }
  const code = `${lines.slice(opening + 1, closing).join('\n')}\n`
  return { language, code, line: opening + 1 }
}
