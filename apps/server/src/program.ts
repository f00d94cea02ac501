/** @module The program: its commands and their modules. */
import { defineCommand, runMain, type SubCommandsDef } from 'citty'
import { fail, orExit, wrongArgument } from './command-line/outcome.ts'
import { auditExport } from './commands/audit-export.ts'
import { configCheck } from './commands/config-check.ts'
import { configOptions } from './commands/config-options.ts'
import { configPrint } from './commands/config-print.ts'
import { configRekey } from './commands/config-rekey.ts'
import { configDiff, configPull, configPush } from './commands/config-transfer.ts'
import { doctor } from './commands/doctor.ts'
import { explain } from './commands/explain.ts'
import { keysCreate } from './commands/keys-create.ts'
import { keysList } from './commands/keys-list.ts'
import { keysRevoke } from './commands/keys-revoke.ts'
import { permissionsMatrix } from './commands/permissions-matrix.ts'
import { permissionsTest } from './commands/permissions-test.ts'
import { schemaRefresh } from './commands/schema-refresh.ts'
import { sessionsEnd } from './commands/sessions-end.ts'
import { simulate } from './commands/simulate.ts'
import { start, startArguments } from './commands/start.ts'
import { usersImport } from './commands/users-import.ts'

const subCommands: SubCommandsDef = {
  config: defineCommand({
    meta: { name: 'config', description: 'Look at configuration files and stored configurations' },
    subCommands: {
      check: configCheck,
      options: configOptions,
      print: configPrint,
      pull: configPull,
      diff: configDiff,
      push: configPush,
      rekey: configRekey,
    },
  }),
  doctor,
  explain,
  simulate,
  permissions: defineCommand({
    meta: { name: 'permissions', description: 'Look at permissions, and test them' },
    subCommands: { matrix: permissionsMatrix, test: permissionsTest },
  }),
  audit: defineCommand({
    meta: { name: 'audit', description: 'Look at what was written down' },
    subCommands: { export: auditExport },
  }),
  keys: defineCommand({
    meta: { name: 'keys', description: 'Look after API keys' },
    subCommands: { create: keysCreate, list: keysList, revoke: keysRevoke },
  }),
  sessions: defineCommand({
    meta: { name: 'sessions', description: 'Look after sessions' },
    subCommands: { end: sessionsEnd },
  }),
  schema: defineCommand({
    meta: { name: 'schema', description: 'Look after the tables that servers know' },
    subCommands: { refresh: schemaRefresh },
  }),
  users: defineCommand({
    meta: { name: 'users', description: 'Look after accounts' },
    subCommands: { import: usersImport },
  }),
}

const main = defineCommand({
  meta: { name: 'engine-server', description: 'Serve databases to browsers, under permissions' },
  args: startArguments,
  subCommands,
  setup: ({ args, rawArgs }) => {
    const [first = ''] = rawArgs
    if (args._.length === 0) return
    if (!first.startsWith('-')) {
      if (!Object.hasOwn(subCommands, first)) {
        fail(wrongArgument(`There is no command ${first} (see --help)`))
      }
      return
    }
    fail(wrongArgument('Options stand behind the command they are for (see --help)'))
  },
  // Also called after a subcommand has run.
  run: ({ args, rawArgs }) => (args._.length > 0 ? undefined : orExit(() => start(rawArgs))),
})

await runMain(main)
