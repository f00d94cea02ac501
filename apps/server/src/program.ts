/** @module The program: its commands, each loaded when it is called. */

import { stripVTControlCharacters } from 'node:util'
import { suggestion } from '@engine/core/server'
import {
  type ArgsDef,
  type CommandDef,
  defineCommand,
  renderUsage,
  runMain,
  type SubCommandsDef,
} from 'citty'
import { fail, orExit, wrongArgument } from './command-line/outcome.ts'
import { start, startArguments } from './commands/start.ts'

const subCommands: SubCommandsDef = {
  config: defineCommand({
    meta: { name: 'config', description: 'Look at configuration files and stored configurations' },
    subCommands: {
      check: async () => (await import('./commands/config-check.ts')).configCheck,
      options: async () => (await import('./commands/config-options.ts')).configOptions,
      print: async () => (await import('./commands/config-print.ts')).configPrint,
      pull: async () => (await import('./commands/config-transfer.ts')).configPull,
      diff: async () => (await import('./commands/config-transfer.ts')).configDiff,
      push: async () => (await import('./commands/config-transfer.ts')).configPush,
      rekey: async () => (await import('./commands/config-rekey.ts')).configRekey,
    },
  }),
  init: async () => (await import('./commands/init.ts')).init,
  doctor: async () => (await import('./commands/doctor.ts')).doctor,
  explain: async () => (await import('./commands/explain.ts')).explain,
  simulate: async () => (await import('./commands/simulate.ts')).simulate,
  permissions: defineCommand({
    meta: { name: 'permissions', description: 'Look at permissions, and test them' },
    subCommands: {
      matrix: async () => (await import('./commands/permissions-matrix.ts')).permissionsMatrix,
      test: async () => (await import('./commands/permissions-test.ts')).permissionsTest,
    },
  }),
  audit: defineCommand({
    meta: { name: 'audit', description: 'Look at what was written down' },
    subCommands: { export: async () => (await import('./commands/audit-export.ts')).auditExport },
  }),
  keys: defineCommand({
    meta: { name: 'keys', description: 'Look after API keys' },
    subCommands: {
      create: async () => (await import('./commands/keys-create.ts')).keysCreate,
      list: async () => (await import('./commands/keys-list.ts')).keysList,
      revoke: async () => (await import('./commands/keys-revoke.ts')).keysRevoke,
    },
  }),
  sessions: defineCommand({
    meta: { name: 'sessions', description: 'Look after sessions' },
    subCommands: { end: async () => (await import('./commands/sessions-end.ts')).sessionsEnd },
  }),
  schema: defineCommand({
    meta: { name: 'schema', description: 'Look after the tables that servers know' },
    subCommands: {
      refresh: async () => (await import('./commands/schema-refresh.ts')).schemaRefresh,
    },
  }),
  users: defineCommand({
    meta: { name: 'users', description: 'Look after accounts' },
    subCommands: {
      create: async () => (await import('./commands/users-create.ts')).usersCreate,
      import: async () => (await import('./commands/users-import.ts')).usersImport,
      invite: async () => (await import('./commands/users-invite.ts')).usersInvite,
    },
  }),
}

/** The names of the commands within a group, for messages. */
const groups: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(subCommands).flatMap(([name, command]) =>
    'subCommands' in command ? [[name, Object.keys(command.subCommands ?? {})]] : [],
  ),
)

/** Names the command that was probably meant. */
function requireCommand([first = '', second = '']: readonly string[]): void {
  const names = Object.keys(subCommands)
  if (!names.includes(first)) {
    fail(wrongArgument(`There is no command ${first}${suggestion(first, names)} (see --help)`))
  }
  const inner = groups[first]
  if (inner === undefined || inner.includes(second) || second.startsWith('-')) return
  const what =
    second === ''
      ? `${first} needs a command: ${inner.join(', ')}`
      : `There is no command ${first} ${second}${suggestion(second, inner)}`
  fail(wrongArgument(`${what} (see --help)`))
}

const main = defineCommand({
  meta: { name: 'engine-server', description: 'Serve databases to browsers, under permissions' },
  args: startArguments,
  subCommands,
  setup: ({ args, rawArgs }) => {
    const [first = ''] = rawArgs
    if (args._.length === 0) return
    if (!first.startsWith('-')) {
      requireCommand(rawArgs)
      return
    }
    const name = first.replace(/^-+|=.*$/g, '')
    if (!Object.hasOwn(startArguments, name)) {
      const hint = suggestion(name, Object.keys(startArguments))
      fail(wrongArgument(`Unknown option '${first}'${hint} (see --help)`))
    }
    fail(wrongArgument('Options stand behind the command they are for (see --help)'))
  },
  // Also called after a subcommand has run.
  run: ({ args, rawArgs }) => (args._.length > 0 ? undefined : orExit(() => start(rawArgs))),
})

/** Prints the help of a command: with colours at a terminal alone. */
async function showUsage<Args extends ArgsDef>(
  command: CommandDef<Args>,
  parent?: CommandDef<Args>,
): Promise<void> {
  const text = await renderUsage(command, parent)
  const isTerminal = process.stdout.isTTY === true
  process.stdout.write(`${isTerminal ? text : stripVTControlCharacters(text)}\n`)
}

await runMain(main, { showUsage })
