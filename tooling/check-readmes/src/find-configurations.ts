import { findBlocks } from './find-blocks.ts'

/** A configuration in a Markdown text, or a part of one, as a file that the server reads. */
export interface ConfigurationBlock {
  readonly file: 'engine.config.ts' | 'engine.config.json'
  readonly code: string
  /** Line of the opening fence, counted from 1. */
  readonly line: number
}

/** What a part of a configuration leaves out. */
const rest = {
  connections: { main: 'postgres://app@localhost/shop' },
  auth: { secret: 'a secret of at least thirty-two bytes' },
}

/**
 * Blocks of JSON whose names are options, and blocks of TypeScript that begin with `// engine.config.ts`.
 *
 * @param options paths of all options: `limits.maxRows`
 * @throws {SyntaxError} when a block of JSON is none.
 */
export function findConfigurations(
  markdown: string,
  options: readonly string[],
): readonly ConfigurationBlock[] {
  const names = new Set(options.map((path) => path.split(/[.[]/)[0]))
  return findBlocks(markdown).flatMap(({ language, code, line }): ConfigurationBlock[] => {
    if (language === 'ts' && isWhole(code)) {
      return [{ file: 'engine.config.ts', code, line }]
    }
    if (language !== 'json') return []
    const value: unknown = JSON.parse(code)
    const isConfiguration = Object.keys(Object(value)).every((name) => names.has(name))
    if (!isConfiguration || isAnswer(value)) return []
    const whole = JSON.stringify({ ...rest, ...Object(value) })
    return [{ file: 'engine.config.json', code: whole, line }]
  })
}

/** A file that imports others of its page is served in the session of the page: see `shellOf`. */
function isWhole(code: string): boolean {
  return code.startsWith('// engine.config.ts\n') && !code.includes("from './")
}

/** `GET /schema` has names of options too; each of its connections has tables with columns. */
function isAnswer(value: unknown): boolean {
  return JSON.stringify(value).includes('"columns":{')
}
