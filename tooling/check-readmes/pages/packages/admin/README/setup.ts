import { openShop } from './shop.ts'

const shop = await openShop()
export const config = { ...shop.config, service_db: ':memory:' }
export async function close(): Promise<void> {
  await shop.close()
  // The gateway of the block has no end.
  setImmediate(() => process.exit())
}
