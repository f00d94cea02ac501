import { createClient } from '@engine/client'
import { createAuth } from '@engine/client/auth'
import { address, openShop } from './shop.ts'

const shop = await openShop()
export const url = address
export const email = 'ada@example.com'
export const password = 'correct horse battery staple'
export const auth = createAuth({ url })
const user = await auth.signUp({ email: 'owner@example.com', password, name: 'Owner' })
shop.giveAccount(user.id)
export const client = createClient({ url, session: auth })
export const request = { sql: 'select 1', params: [], method: 'all' } as const
export const keychain = new Map<string, string>()
export const SignIn = () => null
export const Notes = (_: { readonly key: string }) => null
export async function close(): Promise<void> {
  await shop.close()
}

// What a page of a browser has.
Object.assign(globalThis, { alert: (text: string) => console.log(text) })
