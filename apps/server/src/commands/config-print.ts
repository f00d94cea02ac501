import { redactConfig } from '@engine/core/server'
import { type ArgsDef, type CommandDef, defineCommand } from 'citty'
import { orExit } from '../command-line/outcome.ts'
import { readOptions } from '../command-line/read-options.ts'
import { loadConfig } from '../configuration/load-config.ts'
import { configFileArgument, namedConfig } from './config-file.ts'

const args: ArgsDef = {
  file: configFileArgument,
  redact: { type: 'boolean', description: 'hide secrets (always on)' },
}

export const configPrint: CommandDef = defineCommand({
  meta: { name: 'print', description: 'Print a configuration as it is understood' },
  args,
  run: ({ rawArgs }) =>
    orExit(async () => {
      const path = namedConfig(readOptions(rawArgs, args, 1))
      const loaded = await loadConfig(path, process.env)
      process.stdout.write(`${JSON.stringify(redactConfig(loaded), null, 2)}\n`)
    }),
})
