/** A block of a README that is marked to run. */
export interface Example {
  readonly language: 'ts' | 'sh'
  readonly code: string
  /** Line of the opening fence, counted from 1. */
  readonly line: number
  /** It imports packages that the README installs and that its own package does not depend on. */
  readonly needsInstall: boolean
}

/** One of these lines precedes a fenced block that runs; blank lines between them are allowed. */
const marks: ReadonlyMap<string, { readonly needsInstall: boolean }> = new Map([
  ['<!-- runnable -->', { needsInstall: false }],
  ['<!-- runnable when installed -->', { needsInstall: true }],
])

/**
 * The examples of a Markdown text, in order.
 *
 * @throws {Error} when a mark is not followed by a closed block of `ts` or `sh`.
 */
export function findExamples(markdown: string): readonly Example[] {
  const lines = markdown.split(/\r?\n/)
  return lines.flatMap((line, index) => {
    const mark = marks.get(line.trim())
    return mark === undefined ? [] : [{ ...exampleAfter(lines, index), ...mark }]
  })
}

function exampleAfter(lines: readonly string[], marked: number): Omit<Example, 'needsInstall'> {
  const opening = lines.findIndex((line, index) => index > marked && line.trim() !== '')
  const language = /^```(ts|sh)$/.exec(lines[opening]?.trim() ?? '')?.[1]
  const closing = lines.findIndex((line, index) => index > opening && line.trim() === '```')
  if (opening === -1 || closing === -1 || (language !== 'ts' && language !== 'sh')) {
    const mark = lines[marked]?.trim()
    throw new Error(`line ${marked + 1}: ${mark} is not followed by a block of ts or sh`)
  }
  const code = `${lines.slice(opening + 1, closing).join('\n')}\n`
  return { language, code, line: opening + 1 }
}
