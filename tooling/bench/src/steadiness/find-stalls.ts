/**
 * @module Finds what keeps the event loop of the reference server from its other requests. `pnpm bench stalls [database]
 * [seconds] [without-plans]`
 */
import { databaseKinds, openDatabase } from '../load/databases.ts'
import { authorizationOf } from '../load/setups.ts'
import type { Stalls } from './messages.ts'
import { mixedConfig, sendMixed } from './mixed-clients.ts'
import { heavyRequests } from './mixed-requests.ts'
import { startObserved } from './start-observed.ts'

const usualSeconds = 20
const clients = 24

/** The stalls that are shown. */
const shown = 12

/** The goal: no longer than this, in milliseconds of processor time. */
const goalMs = 20

export async function findStalls(words: readonly string[]): Promise<void> {
  const kind = databaseKinds.find((name) => words.includes(name)) ?? 'postgres'
  const seconds = Number(words.find((word) => /^\d+$/.test(word)) ?? usualSeconds)
  const database = await openDatabase(kind)
  try {
    const server = await startObserved(mixedConfig(database))
    try {
      const authorization = await authorizationOf(server.url, 'all', 'session')
      const requests = heavyRequests.filter(
        ({ isPlan = false }) => !(isPlan && words.includes('without-plans')),
      )
      const mix = { url: server.url, authorization, requests, clients }
      const until = (ms: number) => {
        const endMs = performance.now() + ms
        return () => performance.now() >= endMs
      }
      await sendMixed(mix, until(5_000))
      await server.ask('watch')
      const counts = await sendMixed(mix, until(seconds * 1_000))
      const { stalls, turns } = (await server.ask('stalls')) as Stalls
      const long = stalls.filter(({ cpuMs }) => cpuMs > goalMs)
      console.log(`\n${database.title}, ${seconds} s, ${turns} turns of the timers:`)
      for (const [request, count] of [...counts].toSorted()) console.log(`  ${count} x ${request}`)
      console.log(`${long.length} stalls of more than ${goalMs} ms of processor time; the longest:`)
      for (const { cpuMs, wallMs, causes } of stalls.slice(0, shown)) {
        console.log(`  ${cpuMs.toFixed(1)} ms (${wallMs.toFixed(1)} by the clock)`)
        for (const cause of causes) console.log(`    ${cause}`)
      }
    } finally {
      await server.stop()
    }
  } finally {
    await database.stop()
  }
}
