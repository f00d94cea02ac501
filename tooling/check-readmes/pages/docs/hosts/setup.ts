import { openShop } from './shop.ts'

const shop = await openShop()
export const engine = shop.gateway.engine
export async function close(): Promise<void> {
  await shop.close()
}
