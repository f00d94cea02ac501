import { resolve } from 'node:path'
import { wrongArgument } from '../command-line/outcome.ts'
import type { Options } from '../command-line/read-options.ts'

export const configFileArgument = {
  type: 'positional',
  required: false,
  description: 'configuration file (.ts, .js or .json)',
} as const

/** The file that a command must be given. */
export function namedConfig({ positionals: [path] }: Options): string {
  if (path === undefined) throw wrongArgument('Say which configuration file (see --help)')
  return resolve(process.cwd(), path)
}
