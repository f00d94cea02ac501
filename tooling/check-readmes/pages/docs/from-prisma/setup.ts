import { createClient } from '@engine/client'
import { createDrizzleDriver } from '@engine/client/drizzle'
import { drizzle } from 'drizzle-orm/pg-proxy'
import * as schema from './schema.ts'
import { address, openShop } from './shop.ts'

const shop = await openShop()
const client = createClient({ url: address, token: 'ek_a1b2c3' })
export const db = drizzle(createDrizzleDriver(client).callback, { schema })
export async function close(): Promise<void> {
  await shop.close()
}
