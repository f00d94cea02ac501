#!/usr/bin/env node
/** @module The program: its commands and where each of them is. */
import { defineCommand, runMain } from 'citty'
import { fail, orExit, wrongArgument } from './command-line/outcome.ts'
import { configCheck } from './commands/config-check.ts'
import { configPrint } from './commands/config-print.ts'
import { explain } from './commands/explain.ts'
import { permissionsMatrix } from './commands/permissions-matrix.ts'
import { permissionsTest } from './commands/permissions-test.ts'
import { simulate } from './commands/simulate.ts'
import { start, startArguments } from './commands/start.ts'

const main = defineCommand({
  meta: { name: 'engine-server', description: 'Serve databases to browsers, under permissions' },
  args: startArguments,
  subCommands: {
    config: defineCommand({
      meta: { name: 'config', description: 'Look at configuration files' },
      subCommands: { check: configCheck, print: configPrint },
    }),
    explain,
    simulate,
    permissions: defineCommand({
      meta: { name: 'permissions', description: 'Look at permissions, and test them' },
      subCommands: { matrix: permissionsMatrix, test: permissionsTest },
    }),
  },
  setup: ({ args, rawArgs }) => {
    const [first = ''] = rawArgs
    if (args._.length === 0 || !first.startsWith('-')) return
    fail(wrongArgument('Options stand behind the command they are for (see --help)'))
  },
  // Also called behind a subcommand that has run.
  run: ({ args, rawArgs }) => (args._.length > 0 ? undefined : orExit(() => start(rawArgs))),
})

await runMain(main)
