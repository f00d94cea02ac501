import { createAuth } from '@engine/client/auth'
import { address, openShop } from './shop.ts'

const shop = await openShop()
export const email = 'ada@example.com'
export const password = 'correct horse battery staple'
const auth = createAuth({ url: address })
const user = await auth.signUp({ email, password, name: 'Ada' })
shop.giveAccount(user.id)
export async function close(): Promise<void> {
  await shop.close()
}
