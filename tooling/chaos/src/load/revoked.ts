/** @module Credentials whose revocation was acknowledged: every node must refuse them permanently. */
import type { Random } from '@engine/fixtures'
import { type Service, statement } from './service.ts'

export interface Revoked {
  /** A credential was just revoked: both nodes are checked at once. */
  add(credential: string): Promise<void>
  /** Sends a request with one that was revoked earlier. */
  lookAgain(random: Random): Promise<void>
  readonly count: () => number
}

/** Number of earlier ones that are checked again. */
const kept = 200

export function createRevoked(service: Service): Revoked {
  const credentials: string[] = []
  let count = 0
  const check = async (credential: string): Promise<void> => {
    const request = statement(credential, 'select id from postgres.counters limit 1', [])
    const answers = await Promise.all(
      service.nodes.map((node) =>
        service.send('read with what was revoked', ['service', 'postgres'], request, node),
      ),
    )
    for (const sent of answers) {
      if (sent.kind !== 'answered' || sent.answer.status === 401) continue
      service.findings.add(
        'alive after its revocation',
        `${sent.answer.status} at ${sent.node.name}, ${sent.asked.id}`,
      )
    }
  }
  return {
    count: () => count,
    add: async (credential) => {
      count += 1
      credentials.push(credential)
      if (credentials.length > kept) credentials.shift()
      await check(credential)
    },
    lookAgain: async (random) => {
      if (credentials.length > 0) await check(random.pick(credentials))
    },
  }
}
