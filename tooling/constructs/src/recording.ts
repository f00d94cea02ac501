/** @module The recorded verdicts. */
import { readFileSync, writeFileSync } from 'node:fs'

/** One construct. */
export interface Recorded {
  readonly id: string
  readonly chapter: string
  readonly row: string
  readonly variant: string
  /** By database, in the order of `databaseNames`: `equal`, or the words of the refusal. */
  readonly words: readonly string[]
}

/** The database answers as PostgreSQL does. */
export const equal = 'equal'

/** Begins the words of what is equal for some values, and refused for others. */
export const partly = 'not for all values: '

/** Is the construct answered? */
export function isAnswered(words: string | undefined): boolean {
  return words === equal || words?.startsWith(partly) === true
}

/** Path of the recording: a line for each construct. */
export const recordingPath: URL = new URL('../recorded/constructs.jsonl', import.meta.url)

/** `[id, chapter, row, variant, words of each database]`; `=` stands for an equal answer. */
type Line = readonly [string, string, string, string, ...string[]]

export function readRecording(): readonly Recorded[] {
  return readFileSync(recordingPath, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [id, chapter, row, variant, ...words] = JSON.parse(line) as Line
      return {
        id,
        chapter,
        row,
        variant,
        words: words.map((each) => (each === '=' ? equal : each)),
      }
    })
}

export function writeRecording(recorded: readonly Recorded[]): void {
  const lines = recorded.map(({ id, chapter, row, variant, words }) =>
    JSON.stringify([
      id,
      chapter,
      row,
      variant,
      ...words.map((each) => each.replace(/^equal$/, '=')),
    ]),
  )
  writeFileSync(recordingPath, `${lines.join('\n')}\n`)
}
