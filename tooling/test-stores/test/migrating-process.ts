/**
 * @module A node in a separate process. Migrates the store at the given URL; prints `halfway` in the middle of the
 * second migration, and waits there for this number of milliseconds; prints `migrated` at the end.
 */
import { openStore } from '@engine/core/store'
import { serviceDatabases } from '../src/each-store.ts'
import { twoSteps } from './two-steps.ts'

const [url = '', waitMs = '0'] = process.argv.slice(2)
const store = await openStore({ url, serviceDatabases })
await store.migrate(
  twoSteps(async () => {
    process.send?.('halfway')
    await new Promise((resolve) => setTimeout(resolve, Number(waitMs)))
  }),
)
await store.whenReady()
process.send?.('migrated')
await store.close()
process.disconnect?.()
