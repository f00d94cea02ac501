import { resolve } from 'node:path'
import { type ImportCounts, type ImportLine, importUsers, openAuthTables } from '@engine/auth'
import type { Settings } from '@engine/core/server'
import type { Store } from '@engine/core/store'
import { type ArgsDef, type CommandDef, defineCommand } from 'citty'
import { orExit, wrongArgument } from '../command-line/outcome.ts'
import { readOptions } from '../command-line/read-options.ts'
import { withStore } from '../command-line/with-store.ts'
import { readUserFile } from '../users-import/read-user-file.ts'

const args: ArgsDef = {
  file: { type: 'positional', required: false, description: 'users: .ndjson or .csv' },
  config: { type: 'string', description: 'configuration file (.ts, .js or .json)' },
  update: { type: 'boolean', description: 'overwrite accounts that there are already' },
}

/** Progress is printed after this many users. */
const reportEvery = 1_000

export const usersImport: CommandDef = defineCommand({
  meta: { name: 'import', description: 'Make accounts of the users of another system' },
  args,
  run: ({ rawArgs }) =>
    orExit(async () => {
      const options = readOptions(rawArgs, args, 1)
      const [file] = options.positionals
      if (file === undefined) throw wrongArgument('Say which file has the users (see --help)')
      const lines = await readUserFile(resolve(process.cwd(), file))
      const update = options.flag('update')
      const counts = await withStore(options.text('config'), (store, settings) =>
        importInto(store, settings, { lines, update }),
      )
      process.stdout.write(`${JSON.stringify(counts)}\n`)
      if (counts.refused > 0) process.exitCode = 1
    }),
})

async function importInto(
  store: Store,
  { auth }: Settings,
  { lines, update }: { readonly lines: AsyncIterable<ImportLine>; readonly update: boolean },
): Promise<ImportCounts> {
  if (auth === undefined) throw wrongArgument('The configuration has no auth: there are no users')
  await openAuthTables(store)
  // A server on another machine may be unreachable: then the file is not read.
  await store.ping()
  return importUsers(lines, {
    store,
    settings: auth,
    update,
    clock: Date.now,
    onRefused: ({ line, message }) => report(`line ${line}: ${message}`),
    onProgress: (counts) => {
      const done = Object.values(counts).reduce((sum, count) => sum + count, 0)
      if (done % reportEvery === 0) report(`${done} users read`)
    },
  })
}

function report(text: string): void {
  process.stderr.write(`${text}\n`)
}
