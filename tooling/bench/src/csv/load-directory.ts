/** @module A process that loads a directory of CSV files and prints its time and memory. */
import { csvAdapter } from '@engine/adapters-csv'

const [directory = ''] = process.argv.slice(2)
const adapter = csvAdapter({ directory })
const start = performance.now()
// How long the event loop was blocked meanwhile: other requests wait for that time.
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
