import { type ArgsDef, type CommandDef, defineCommand } from 'citty'
import { orExit, wrongArgument } from '../command-line/outcome.ts'
import { readOptions } from '../command-line/read-options.ts'
import { withAdmin } from '../command-line/with-admin.ts'

const args: ArgsDef = {
  config: { type: 'string', description: 'configuration file (.ts, .js or .json)' },
  user: { type: 'string', description: 'id of the user whose sessions end' },
  all: { type: 'boolean', description: "end everyone's sessions" },
}

export const sessionsEnd: CommandDef = defineCommand({
  meta: { name: 'end', description: 'End sessions at once, of one user or of everyone' },
  args,
  run: ({ rawArgs }) =>
    orExit(async () => {
      const options = readOptions(rawArgs, args, 0)
      const userId = options.text('user')
      if ((userId === undefined) !== options.flag('all')) {
        throw wrongArgument('Say whose sessions: either --user ID or --all')
      }
      const whose = userId === undefined ? {} : { userId }
      const ended = await withAdmin(
        options.text('config'),
        'accounts',
        async ({ admin, record }) => {
          const count = await admin.endSessions(whose)
          await record('sessions-ended', { ...whose, all: userId === undefined, ended: count })
          return count
        },
      )
      process.stdout.write(`${JSON.stringify({ ended })}\n`)
    }),
})
