/** @module Sign-ins per second, compared with the maximum hashes per second of the machine. */
import type { Auth } from '@engine/auth'
import type { ClientInfo } from '@engine/core/server'
import { hash, verify } from '@node-rs/argon2'

const email = 'sign-in@example.com'
const password = 'correct horse battery'

/** Number of concurrent sign-ins, of all sign-ins, and of rounds of each kind. */
const plan = { lanes: 8, count: 120, turns: 3 }

/** Prints the best of several rounds of both, taken alternately. */
export async function measureSignIns(auth: Auth, client: ClientInfo): Promise<void> {
  await auth.signUp({ email, password }, client)
  const stored = await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 })
  let [bare, whole] = [0, 0]
  for (let turn = 0; turn < plan.turns; turn += 1) {
    bare = Math.max(bare, await rate(() => verify(stored, password)))
    whole = Math.max(whole, await rate(() => auth.signIn({ email, password }, client)))
  }
  console.log(
    `  sign-ins: ${whole.toFixed(0)} a second, ${(whole / bare).toFixed(2)} of ${bare.toFixed(0)} bare hashes a second`,
  )
}

/** Calls per second. */
async function rate(call: () => Promise<unknown>): Promise<number> {
  let left = plan.count
  const started = performance.now()
  const lane = async () => {
    while (left > 0) {
      left -= 1
      await call()
    }
  }
  await Promise.all(Array.from({ length: plan.lanes }, lane))
  return (plan.count / (performance.now() - started)) * 1_000
}
