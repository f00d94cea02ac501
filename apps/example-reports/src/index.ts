/** @module Serves CSV files to psql until it is interrupted. Run it: `npm run program -- apps/example-reports/src/index.ts`, in the repository's root. */
import { once } from 'node:events'
import { silentLog } from '@engine/core'
import { serve } from '@engine/server'
import { reportsConfig } from './reports-config.ts'

const server = await serve({
  config: reportsConfig(Number(process.env.PORT ?? 5434)),
  port: 0,
  host: '127.0.0.1',
  isDevelopment: true,
  log: silentLog,
})
console.log(`psql postgres://${server.pgWireAddress}/files`)
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
await server.stop(1_000)
