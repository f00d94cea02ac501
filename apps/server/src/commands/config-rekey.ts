/** @module `engine-server config rekey`: after a change of the master key. */
import { openConfigurationStore } from '@engine/core/server'
import { type ArgsDef, type CommandDef, defineCommand } from 'citty'
import { orExit, wrongArgument } from '../command-line/outcome.ts'
import { readOptions } from '../command-line/read-options.ts'
import { withStore } from '../command-line/with-store.ts'

const args: ArgsDef = {
  config: { type: 'string', description: 'configuration file (.ts, .js or .json)' },
}

/** Not an argument: other users of a machine see those. */
const variable = 'ENGINE_OLD_MASTER_KEY'

export const configRekey: CommandDef = defineCommand({
  meta: {
    name: 'rekey',
    description: `Encrypt the stored configuration with the new masterKey; ${variable} is the old one`,
  },
  args,
  run: ({ rawArgs }) =>
    orExit(async () => {
      const options = readOptions(rawArgs, args, 0)
      const oldKey = process.env[variable]
      if (oldKey === undefined || oldKey === '') {
        throw wrongArgument(`Set ${variable} to the masterKey that was used before`)
      }
      const revisions = await withStore(options.text('config'), async (store, settings) => {
        const { mode, masterKey } = settings
        if (mode !== 'interactive' || masterKey === undefined) {
          throw wrongArgument('The configuration is defined in code: nothing is encrypted')
        }
        // A server that cannot be reached is an error here.
        await store.ping()
        const configurations = await openConfigurationStore({ store, masterKey, clock: Date.now })
        return configurations.rekey([oldKey])
      })
      process.stdout.write(`${JSON.stringify({ revisions })}\n`)
    }),
})
