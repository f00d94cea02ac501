/** A fenced block of a Markdown text. */
export interface Block {
  /** The word after the fence: `ts`, `sh`, `json`; empty where there is none. */
  readonly language: string
  readonly code: string
  /** Line of the opening fence, counted from 1. */
  readonly line: number
  /** The comment before it, without its brackets: `runnable`, `not run: needs Docker`. Empty where there is none. */
  readonly mark: string
}

const fence = /^```(\w*)$/

/** All fenced blocks, in order. Blank lines between a mark and its block are allowed. */
export function findBlocks(markdown: string): readonly Block[] {
  const lines = markdown.split(/\r?\n/)
  const blocks: Block[] = []
  for (let index = 0; index < lines.length; index += 1) {
    const language = fence.exec(lines[index] ?? '')?.[1]
    if (language === undefined) continue
    const closing = lines.indexOf('```', index + 1)
    const code = `${lines.slice(index + 1, closing).join('\n')}\n`
    blocks.push({ language, code, line: index + 1, mark: markBefore(lines, index) })
    index = closing
  }
  return blocks
}

function markBefore(lines: readonly string[], opening: number): string {
  const before = lines.slice(0, opening).findLast((line) => line.trim() !== '')
  return /^<!-- (.*) -->$/.exec(before?.trim() ?? '')?.[1] ?? ''
}
