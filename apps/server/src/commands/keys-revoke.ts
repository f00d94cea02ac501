import { GatewayError } from '@engine/core'
import { type ArgsDef, type CommandDef, defineCommand } from 'citty'
import { orExit, wrongArgument } from '../command-line/outcome.ts'
import { readOptions } from '../command-line/read-options.ts'
import { withAdmin } from '../command-line/with-admin.ts'

const args: ArgsDef = {
  id: { type: 'positional', required: false, description: 'id of the key, as keys list has it' },
  config: { type: 'string', description: 'configuration file (.ts, .js or .json)' },
}

export const keysRevoke: CommandDef = defineCommand({
  meta: { name: 'revoke', description: 'End an API key at once' },
  args,
  run: ({ rawArgs }) =>
    orExit(async () => {
      const options = readOptions(rawArgs, args, 1)
      const [id] = options.positionals
      if (id === undefined) throw wrongArgument('Say which key (see --help)')
      await withAdmin(options.text('config'), 'API keys', async ({ admin, record }) => {
        if (!(await admin.revokeApiKey(id))) {
          throw new GatewayError('notFound', 'There is no such API key, or it is revoked already.')
        }
        await record('api-key-revoked', { id })
      })
      process.stdout.write(`${JSON.stringify({ revoked: id })}\n`)
    }),
})
