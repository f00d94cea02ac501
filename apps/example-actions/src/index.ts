/** @module Payments in transactions. Run it: `npm run program -- apps/example-actions/src/index.ts`, in the repository's root. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient, EngineError } from '@engine/client'
import { createAuth } from '@engine/client/auth'
import { silentLog } from '@engine/core'
import { serve } from '@engine/server'
import { bankConfig } from './bank-config.ts'

/** As `engine-codegen` writes it. */
interface Actions {
  readonly openAccount: {
    readonly input: Record<string, never>
    readonly output: { readonly id: number }
  }
  readonly transfer: {
    readonly input: { readonly from: number; readonly to: number; readonly amount: number }
    readonly output: { readonly balance: number }
  }
}

const folder = mkdtempSync(join(tmpdir(), 'engine-bank-'))
const server = await serve({
  config: bankConfig(folder),
  port: 0,
  host: '127.0.0.1',
  isDevelopment: true,
  log: silentLog,
})

async function signUp(name: string): Promise<Client<Actions>> {
  const auth = createAuth({ url: server.url })
  const password = 'correct horse battery staple'
  await auth.signUp({ email: `${name}@example.com`, password })
  return createClient<Actions>({ url: server.url, session: auth })
}

/** Everybody sees one account, so it needs no condition. */
async function balance(client: Client<Actions>): Promise<unknown> {
  const sql = 'select balance from main.accounts'
  return (await client.query({ sql, params: [], method: 'get' })).rows?.[0]
}

async function pay(client: Client<Actions>, to: number, amount: number): Promise<string> {
  try {
    return `paid, ${(await client.action('transfer', { from: ada.id, to, amount })).balance} left`
  } catch (error) {
    if (error instanceof EngineError) return `${error.code}: ${error.message}`
    throw error
  }
}

const [adasClient, bobsClient] = [await signUp('ada'), await signUp('bob')]
const ada = await adasClient.action('openAccount', {})
const bob = await bobsClient.action('openAccount', {})

console.log(`Ada pays 30: ${await pay(adasClient, bob.id, 30)}`)
console.log(`Ada pays 500: ${await pay(adasClient, bob.id, 500)}`)
console.log(`Ada pays nobody 10: ${await pay(adasClient, 99, 10)}`)
console.log(`Bob pays with the account of Ada: ${await pay(bobsClient, bob.id, 10)}`)
console.log(`Ada has ${await balance(adasClient)}, Bob has ${await balance(bobsClient)}`)

const payments = Array.from({ length: 10 }, () => pay(adasClient, bob.id, 10))
const paid = (await Promise.all(payments)).filter((answer) => answer.startsWith('paid'))
console.log(`Ten payments of 10 at once: ${paid.length} are paid`)
console.log(`Ada has ${await balance(adasClient)}, Bob has ${await balance(bobsClient)}`)

await server.stop(0)
rmSync(folder, { recursive: true })
