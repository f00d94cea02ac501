import { type ParseArgsOptionDescriptor, parseArgs } from 'node:util'
import { suggestion } from '@engine/core/server'
import type { ArgsDef } from 'citty'
import { wrongArgument } from './outcome.ts'

/** The arguments after the name of a command. */
export interface Options {
  /** Arguments that are not options, in order. */
  readonly positionals: readonly string[]
  /** The last value of an option. */
  text(name: string): string | undefined
  /** Every value of an option, in order. */
  texts(name: string): readonly string[]
  flag(name: string): boolean
  /** A flag, or its negation with `--no-`; undefined where neither is given. */
  choice(name: string): boolean | undefined
}

/**
 * Reads arguments strictly: an option that is misspelt, or lacks its value, is an error.
 *
 * @param definitions the definitions that citty shows in `--help`.
 * @param mostPositionals maximum number of arguments that are not options.
 * @throws {GatewayError} `invalidConfiguration`.
 */
export function readOptions(
  rawArgs: readonly string[],
  definitions: ArgsDef,
  mostPositionals: number,
): Options {
  const options = Object.fromEntries(
    Object.entries(definitions).flatMap(
      ([name, { type }]): [string, ParseArgsOptionDescriptor][] =>
        type === 'positional'
          ? []
          : [[name, { type: type === 'boolean' ? 'boolean' : 'string', multiple: true }]],
    ),
  )
  const { values, positionals } = parse(rawArgs, options)
  const excess = positionals[mostPositionals]
  if (excess !== undefined) throw wrongArgument(`Unexpected argument: ${excess} (see --help)`)
  const texts = (name: string): readonly string[] => {
    const found = values[name]
    return Array.isArray(found) ? found.filter((value) => typeof value === 'string') : []
  }
  const choice = (name: string): boolean | undefined => {
    const found = values[name]
    const last = Array.isArray(found) ? found.at(-1) : undefined
    return typeof last === 'boolean' ? last : undefined
  }
  return {
    positionals,
    texts,
    text: (name) => texts(name).at(-1),
    flag: (name) => choice(name) === true,
    choice,
  }
}

function parse(
  rawArgs: readonly string[],
  options: Readonly<Record<string, ParseArgsOptionDescriptor>>,
) {
  try {
    const args = [...rawArgs]
    return parseArgs({ args, options, allowPositionals: true, allowNegative: true, strict: true })
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const [sentence = ''] = error.message.split(/(?<=\.) |\. To /)
    const unknown = /^Unknown option '--([^']+)'/.exec(sentence)?.[1]
    const hint = unknown === undefined ? '' : suggestion(unknown, Object.keys(options))
    throw wrongArgument(`${sentence}${hint} (see --help)`)
  }
}
