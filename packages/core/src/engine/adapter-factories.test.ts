import { expect, test } from 'vitest'
import { z } from 'zod'
import { parseConfig } from '../config/parse/parse-config.ts'
import { silentLog } from '../foundation/log.ts'
import type { Adapter, AdapterFactory } from '../runtime/adapter/adapter.ts'
import { withOptions } from '../runtime/adapter/with-options.ts'
import { adapterFactories, connectionOptions } from './adapter-factories.ts'

const packageName = '@acme/duckdb'
const options = z.strictObject({ threads: z.int().positive().default(4) })
const opened: unknown[] = []
const connect = withOptions(options, (_, own) => {
  opened.push(own)
  return { kind: 'duckdb' } as Adapter
})
const registered = { [packageName]: { name: 'duckdb', schemes: ['duckdb'], connect } }

function settingsOf(main: object) {
  return parseConfig({ connections: { main } })
}

test('an adapter gets its own options with their defaults', async () => {
  const config = { connections: { main: 'duckdb:a', other: { url: 'duckdb:b', threads: 2 } } }
  const settings = parseConfig(config, registered)
  const sources = { adapters: registered, directory: '.' }
  const factory = (await adapterFactories(settings, sources)).get(packageName)
  for (const connection of settings.connections.values()) {
    factory?.(connectionOptions(connection, silentLog))
  }
  expect(opened).toEqual([{ threads: 4 }, { threads: 2 }])
})

test('the options of an adapter that is loaded later are checked before it opens anything', async () => {
  const load = (factory: AdapterFactory) => ({
    adapters: {},
    directory: '.',
    loadAdapter: async () => ({ connect: factory }),
  })
  const main = { url: 'shop.db', threads: 0, pol: { max: 1 } }
  await expect(adapterFactories(settingsOf(main), load(connect))).rejects.toMatchObject({
    problem: 'invalidConfiguration',
    details: {
      faults: [
        { path: 'connections.main.threads' },
        { path: 'connections.main.pol', message: 'unknown key; did you mean "pool"?' },
      ],
    },
  })
  const without: AdapterFactory = (connection) => connect(connection)
  await expect(
    adapterFactories(settingsOf({ ...main, threads: 1 }), load(without)),
  ).rejects.toThrow('connections.main.threads: unknown key')
  await expect(
    adapterFactories(settingsOf({ url: 'shop.db', threads: 1 }), load(connect)),
  ).resolves.toHaveProperty('size', 1)
})
