import { configurationOptions } from '@engine/core/server'
import { type CommandDef, defineCommand } from 'citty'
import { orExit } from '../command-line/outcome.ts'
import { readOptions } from '../command-line/read-options.ts'
import { loadAllAdapters } from '../configuration/adapters.ts'
import { ownOptions } from '../configuration/parse-server-config.ts'

export const configOptions: CommandDef = defineCommand({
  meta: { name: 'options', description: 'Print every option that a configuration may have' },
  run: ({ rawArgs }) =>
    orExit(async () => {
      readOptions(rawArgs, {}, 0)
      const options = configurationOptions(await loadAllAdapters())
      process.stdout.write(`${[...ownOptions, ...options].join('\n')}\n`)
    }),
})
