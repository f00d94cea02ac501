import { createClient } from '@engine/client'
import { createDrizzleDriver } from '@engine/client/drizzle'
import { engineDialect } from '@engine/client/kysely'
import { address, openShop } from './shop.ts'

const shop = await openShop()
const client = createClient({ url: address, token: 'ek_a1b2c3' })
export const callback = createDrizzleDriver(client).callback
export const dialect = engineDialect(client)
export async function close(): Promise<void> {
  await shop.close()
}
