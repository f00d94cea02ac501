/** @module A process that loads a directory of CSV files and prints how long it took and what memory it needed. */
import { csvAdapter } from '@engine/adapters-csv'

const [directory = ''] = process.argv.slice(2)
const adapter = csvAdapter({ directory })
const start = performance.now()
// How long the event loop was away meanwhile: others wait for so long.
let longestStall = 0
let seen = start
const timer = setInterval(() => {
  longestStall = Math.max(longestStall, performance.now() - seen - 5)
  seen = performance.now()
}, 5)
const { tables } = await adapter.introspect(new AbortController().signal)
const ms = performance.now() - start
clearInterval(timer)
const megabytes = process.resourceUsage().maxRSS / 1024
process.stdout.write(JSON.stringify({ ms, megabytes, longestStall, tables: tables.length }))
await adapter.close()
