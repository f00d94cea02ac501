import { type ArgsDef, type CommandDef, defineCommand } from 'citty'
import { orExit } from '../command-line/outcome.ts'
import { readOptions } from '../command-line/read-options.ts'
import { withAdmin } from '../command-line/with-admin.ts'

const args: ArgsDef = {
  config: { type: 'string', description: 'configuration file (.ts, .js or .json)' },
}

export const keysList: CommandDef = defineCommand({
  meta: { name: 'list', description: 'Print API keys, one JSON object on each line' },
  args,
  run: ({ rawArgs }) =>
    orExit(async () => {
      const options = readOptions(rawArgs, args, 0)
      const keys = await withAdmin(options.text('config'), 'API keys', ({ admin }) =>
        admin.listApiKeys(),
      )
      process.stdout.write(keys.map((key) => `${JSON.stringify(key)}\n`).join(''))
    }),
})
