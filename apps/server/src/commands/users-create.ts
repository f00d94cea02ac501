/** @module `engine-server users create`: an account at a running server, which sends the mail that sets its password. */
import { GatewayError } from '@engine/core'
import { type ArgsDef, type CommandDef, defineCommand } from 'citty'
import { adminOfServer } from '../command-line/admin-http.ts'
import { orExit, wrongArgument } from '../command-line/outcome.ts'
import { parseFields } from '../command-line/parse-caller.ts'
import { readOptions } from '../command-line/read-options.ts'

const args: ArgsDef = {
  config: { type: 'string', description: 'configuration file (.ts, .js or .json)' },
  url: { type: 'string', description: 'address of a running server' },
  email: { type: 'string', description: 'e-mail address of the account' },
  name: { type: 'string', description: 'name of the person' },
  role: { type: 'string', description: 'a role of the account; once for each' },
  fields: { type: 'string', description: 'columns of the row in the user table, a JSON object' },
  verified: { type: 'boolean', description: 'the address is known to belong to the person' },
}

export const usersCreate: CommandDef = defineCommand({
  meta: { name: 'create', description: 'Make an account; a mail lets its owner set a password' },
  args,
  run: ({ rawArgs }) =>
    orExit(async () => {
      const options = readOptions(rawArgs, args, 0)
      const [email, name, fields] = ['email', 'name', 'fields'].map((option) =>
        options.text(option),
      )
      if (email === undefined) throw wrongArgument('Say whose account it is: --email (see --help)')
      const roles = options.texts('role')
      const call = await adminOfServer(options)
      const { status, body } = await call('POST', '/users', {
        body: {
          email,
          ...(name === undefined ? {} : { name }),
          ...(roles.length === 0 ? {} : { roles }),
          ...(fields === undefined ? {} : { fields: parseFields(fields) }),
          ...(options.flag('verified') ? { verified: true } : {}),
        },
      })
      if (status !== 201) {
        throw new GatewayError(
          'badRequest',
          `The server answers ${status}: ${(body as { message?: string }).message}`,
        )
      }
      process.stdout.write(`${JSON.stringify((body as { user: unknown }).user)}\n`)
    }),
})
