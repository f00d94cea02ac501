/** @module Prints the cost of our own work, and compares a request with a hand-written handler. `pnpm bench`. */
import { checkAnswers } from './answers/check-answers.ts'
import { createBenchDatabase } from './bench-database.ts'
import { compareCsvLoad } from './csv/compare-csv-load.ts'
import { compareDriver } from './driver/compare-driver.ts'
import { compareLoads } from './load/compare-loads.ts'
import { compareWorkers } from './load/compare-workers.ts'
import { comparePeers } from './load/peers/compare-peers.ts'
import { profileLoad } from './load/profile-load.ts'
import { measureOwnWork } from './micro/measure-own-work.ts'
import { measureAlive } from './planning/measure-alive.ts'
import { measureStart } from './start/measure-start.ts'
import { findStalls } from './steadiness/find-stalls.ts'
import { measureMemory } from './steadiness/measure-memory.ts'
import { compareWire } from './wire/compare-wire.ts'
import { measureIdleSessions } from './wire/measure-idle-memory.ts'
import { measureManyClients } from './wire/measure-many-clients.ts'

const [only, ...words] = process.argv.slice(2)
const isWanted = (name: string) => only === undefined || only === name
if (isWanted('load')) {
  if (words.includes('workers')) await compareWorkers(words)
  else if (words.includes('peers')) await comparePeers(words)
  else if (words.includes('profile')) await profileLoad(words)
  else await compareLoads(words)
}
// These run only where they are asked for: a million requests take a while.
if (only === 'stalls') await findStalls(words)
if (only === 'answers') await checkAnswers(words)
if (only === 'memory') await measureMemory(words)
if (isWanted('csv')) await compareCsvLoad()
if (isWanted('start')) await measureStart()
if (only === 'idle-sessions' || ['micro', 'driver', 'wire', 'planning'].some(isWanted)) {
  const database = await createBenchDatabase()
  try {
    if (isWanted('micro')) await measureOwnWork(database.url)
    if (isWanted('driver')) await compareDriver(database.url)
    if (only === 'wire' && words.includes('--clients')) {
      await measureManyClients(database.url, words)
    } else if (isWanted('wire')) await compareWire(database.url)
    if (only === 'idle-sessions') await measureIdleSessions(database.url, words)
    if (isWanted('planning')) await measureAlive(database.url)
  } finally {
    await database.stop()
  }
}
