import { requireClosed } from '@engine/core/server'
import { requireLongSecrets } from '@engine/http'
import { type ArgsDef, type CommandDef, defineCommand } from 'citty'
import { orExit } from '../command-line/outcome.ts'
import { readOptions } from '../command-line/read-options.ts'
import { checkConfig } from '../configuration/adapters.ts'
import { loadConfig } from '../configuration/load-config.ts'
import { parseServerConfig } from '../configuration/parse-server-config.ts'
import { configFileArgument, namedConfig } from './config-file.ts'

const args: ArgsDef = { file: configFileArgument }

export const configCheck: CommandDef = defineCommand({
  meta: { name: 'check', description: 'Check a configuration file without starting anything' },
  args,
  run: ({ rawArgs }) =>
    orExit(async () => {
      const path = namedConfig(readOptions(rawArgs, args, 1))
      const { config } = parseServerConfig(await loadConfig(path, process.env))
      const isDevelopment = process.env['NODE_ENV'] !== 'production'
      const settings = await checkConfig(config)
      requireLongSecrets(settings, { isDevelopment })
      requireClosed(settings, !isDevelopment)
      process.stdout.write('The configuration is valid.\n')
    }),
})
