/** @module Writes a new recording: `pnpm record`. */
import { startPostgres } from '@engine/test-databases'
import { record, writeRecording } from './record.ts'

const server = await startPostgres()
try {
  const queries = await record(server.url)
  writeRecording(queries)
  process.stdout.write(`${queries.length} queries recorded\n`)
} finally {
  await server.stop()
}
