/** @module Does memory grow with the number of requests? `pnpm bench memory [database] [requests]` */
import { databaseKinds, openDatabase } from '../load/databases.ts'
import { median } from '../load/run-round.ts'
import { authorizationOf } from '../load/setups.ts'
import type { Memory } from './messages.ts'
import { type MixedClients, mixedConfig, sendMixed } from './mixed-clients.ts'
import { commonRequests } from './mixed-requests.ts'
import { startObserved } from './start-observed.ts'
import { hasWrk, sendByWrk } from './wrk-clients.ts'

const usualCount = 1_000_000
const clients = 32
const parts = 10

/** Caches fill during the first parts; after that the heap may grow by so much, in bytes. */
const allowed = { firstParts: 4, share: 0.05, bytes: 3 * 1_048_576 } as const

/** Prints memory after each tenth of the requests. @throws {Error} when the heap grows. */
export async function measureMemory(words: readonly string[]): Promise<void> {
  const kind = databaseKinds.find((name) => words.includes(name)) ?? 'postgres'
  const count = Number(words.find((word) => /^\d+$/.test(word)) ?? usualCount)
  const database = await openDatabase(kind)
  try {
    const server = await startObserved(mixedConfig(database))
    try {
      const authorization = await authorizationOf(server.url, 'all', 'session')
      const mix = { url: server.url, authorization, requests: commonRequests, clients }
      console.log(`\n${database.title}, ${count} requests; heap after a collection, and memory:`)
      const heaps: number[] = []
      for (let part = 1; part <= parts; part += 1) {
        const beganMs = performance.now()
        const counts = await (hasWrk ? sendByWrk : sendByNode)(
          mix,
          count / parts,
          (count / parts) * (part - 1),
        )
        const seconds = (performance.now() - beganMs) / 1_000
        const { heapBytes, rssBytes } = (await server.ask('memory')) as Memory
        heaps.push(heapBytes)
        const sizes = `${megabytes(heapBytes)} MB, ${megabytes(rssBytes)} MB`
        console.log(`  ${(count / parts) * part}: ${sizes} (${seconds.toFixed(0)} s)`)
        if (part === parts) {
          for (const [answer, times] of [...counts].toSorted())
            console.log(`  ${times} x ${answer}`)
        }
      }
      requireSteady(heaps)
    } finally {
      await server.stop()
    }
  } finally {
    await database.stop()
  }
}

function sendByNode(mix: MixedClients, count: number): Promise<ReadonlyMap<string, number>> {
  let left = count
  return sendMixed(mix, () => {
    left -= 1
    return left < 0
  })
}

/** Compares the last parts with those after the caches were filled. */
function requireSteady(heaps: readonly number[]): void {
  const early = median(heaps.slice(allowed.firstParts - 1, allowed.firstParts + 2))
  const late = median(heaps.slice(-3))
  if (late - early > early * allowed.share + allowed.bytes) {
    throw new Error(`the heap grows: from ${megabytes(early)} to ${megabytes(late)} MB`)
  }
  console.log(`steady: ${megabytes(early)} MB, then ${megabytes(late)} MB`)
}

function megabytes(bytes: number): string {
  return (bytes / 1_048_576).toFixed(1)
}
