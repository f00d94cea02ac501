import type { ApiKeyInput } from '@engine/auth'
import { parseDuration } from '@engine/core/server'
import { type ArgsDef, type CommandDef, defineCommand } from 'citty'
import { orExit, wrongArgument } from '../command-line/outcome.ts'
import { parseFields } from '../command-line/parse-caller.ts'
import { type Options, readOptions } from '../command-line/read-options.ts'
import { withAdmin } from '../command-line/with-admin.ts'

const args: ArgsDef = {
  config: { type: 'string', description: 'configuration file (.ts, .js or .json)' },
  name: { type: 'string', description: 'what the key is for' },
  role: { type: 'string', description: 'a role of the key; once for each' },
  user: { type: 'string', description: 'id of a user that the key acts as' },
  fields: { type: 'string', description: 'fields of $user as a JSON object' },
  expires: { type: 'string', description: 'how long it is good for (90d, 1y), or a time' },
}

export const keysCreate: CommandDef = defineCommand({
  meta: { name: 'create', description: 'Make an API key; it is printed this once' },
  args,
  run: ({ rawArgs }) =>
    orExit(async () => {
      const options = readOptions(rawArgs, args, 0)
      const input = readInput(options)
      const created = await withAdmin(
        options.text('config'),
        'API keys',
        async ({ admin, record }) => {
          const made = await admin.createApiKey(input)
          const { key: _, ...facts } = made
          await record('api-key-created', facts)
          return made
        },
      )
      process.stdout.write(`${JSON.stringify(created)}\n`)
    }),
})

/** @throws {GatewayError} `invalidConfiguration`. */
function readInput(options: Options): ApiKeyInput {
  const [name, userId, fields] = ['name', 'user', 'fields'].map((option) => options.text(option))
  if (name === undefined) throw wrongArgument('Say what the key is for: --name (see --help)')
  const expires = options.text('expires')
  return {
    name,
    roles: options.texts('role'),
    ...(userId === undefined ? {} : { userId }),
    ...(fields === undefined ? {} : { fields: parseFields(fields) }),
    ...(expires === undefined ? {} : { expiresAt: momentOf(expires) }),
  }
}

function momentOf(text: string): string {
  const duration = parseDuration(text)
  const timeMs = duration === undefined ? Date.parse(text) : Date.now() + duration
  if (Number.isNaN(timeMs)) throw wrongArgument('--expires: expects 90d, 1y or a time')
  return new Date(timeMs).toISOString()
}
