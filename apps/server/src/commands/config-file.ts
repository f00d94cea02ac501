import { resolve } from 'node:path'
import { wrongArgument } from '../command-line/outcome.ts'
import type { Options } from '../command-line/read-options.ts'

export const configFileArgument = {
  type: 'positional',
  required: false,
  description: 'configuration file (.ts, .js or .json)',
} as const

/** The configuration file, for commands that require one. */
export function namedConfig({ positionals: [path] }: Options): string {
  if (path === undefined) throw wrongArgument('Say which configuration file (see --help)')
  return resolve(process.cwd(), path)
}
