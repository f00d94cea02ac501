/** @module Settings in a startup packet. */
import { GatewayError } from '@engine/core'

/** Parameters of a startup packet that are not settings. */
const ownParameters: ReadonlySet<string> = new Set(['user', 'database', 'options', 'replication'])

/**
 * Settings of `options`, as on a command line, then the packet's own settings: the last one counts.
 *
 * @throws {GatewayError} 42601 for an invalid option.
 */
export function startupSettings(
  parameters: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const own = [...parameters].filter(([name]) => !ownParameters.has(name))
  return new Map([...commandLineSettings(parameters.get('options') ?? ''), ...own])
}

/** `-c name=value`, `-cname=value` and `--name=value`; a backslash keeps a space inside. */
function commandLineSettings(text: string): readonly (readonly [string, string])[] {
  const settings: (readonly [string, string])[] = []
  const rest = wordsOf(text)
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const assignment = assignmentIn(word, rest)
    const equals = assignment?.indexOf('=') ?? -1
    if (assignment === undefined || equals < 1) {
      throw new GatewayError(
        'badRequest',
        `invalid command-line argument for server process: ${word}`,
        { sqlState: '42601' },
      )
    }
    const name = assignment.slice(0, equals).replaceAll('-', '_')
    settings.push([name, assignment.slice(equals + 1)])
  }
  return settings
}

function assignmentIn(word: string, rest: string[]): string | undefined {
  if (word === '-c') return rest.shift()
  return word.startsWith('--') || word.startsWith('-c') ? word.slice(2) : undefined
}

function wordsOf(text: string): string[] {
  const words = text.match(/(?:\\.|[^\s\\])+/gs) ?? []
  return words.map((word) => word.replace(/\\(.)/gs, '$1'))
}
