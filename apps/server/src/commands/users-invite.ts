/** @module `engine-server users invite`: a running server sends the mail with which a person makes an account. */
import { GatewayError } from '@engine/core'
import { type ArgsDef, type CommandDef, defineCommand } from 'citty'
import { serverOf } from '../command-line/admin-http.ts'
import { invitationSteps } from '../command-line/invitation-steps.ts'
import { orExit, wrongArgument } from '../command-line/outcome.ts'
import { parseFields } from '../command-line/parse-caller.ts'
import { readOptions } from '../command-line/read-options.ts'

const args: ArgsDef = {
  config: { type: 'string', description: 'configuration file (.ts, .js or .json)' },
  url: { type: 'string', description: 'address of a running server' },
  email: { type: 'string', description: 'e-mail address of the person' },
  name: { type: 'string', description: 'name of the person' },
  role: { type: 'string', description: 'a role of the account; once for each' },
  fields: { type: 'string', description: 'columns of the row in the user table, a JSON object' },
  expires: { type: 'string', description: 'how long it is good for (7d)' },
}

export const usersInvite: CommandDef = defineCommand({
  meta: { name: 'invite', description: 'Invite a person; a mail lets them make their account' },
  args,
  run: ({ rawArgs }) =>
    orExit(async () => {
      const options = readOptions(rawArgs, args, 0)
      const [email, name, fields, expiresIn] = ['email', 'name', 'fields', 'expires'].map(
        (option) => options.text(option),
      )
      if (email === undefined) throw wrongArgument('Say who is invited: --email (see --help)')
      const roles = options.texts('role')
      const body = {
        email,
        ...(name === undefined ? {} : { name }),
        ...(roles.length === 0 ? {} : { roles }),
        ...(fields === undefined ? {} : { fields: parseFields(fields) }),
        ...(expiresIn === undefined ? {} : { expiresIn }),
      }
      const { call, config, url } = await serverOf(options)
      const answer = await call('POST', '/invitations', { body })
      if (answer.status !== 201) {
        const { message } = answer.body as { message?: string }
        throw new GatewayError('badRequest', `The server answers ${answer.status}: ${message}`)
      }
      const { invitation } = answer.body as { invitation: unknown }
      process.stdout.write(`${JSON.stringify(invitation)}\n`)
      process.stderr.write(`${invitationSteps(config, url)}\n`)
    }),
})
