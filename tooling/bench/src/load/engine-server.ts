/** @module A process that serves the measured database as the reference server does, with the given parts switched on. */
import { silentLog } from '@engine/core'
import { serve } from '@engine/server'
import { answerParent } from './serve-parent.ts'
import type { EngineSetup } from './setups.ts'

const setup = JSON.parse(process.argv[2] ?? '') as EngineSetup
const server = await serve({
  config: setup.config,
  port: 0,
  host: '127.0.0.1',
  isDevelopment: false,
  log: { ...silentLog, error: (facts, message) => console.error(message, facts) },
})
answerParent(Number(new URL(server.url).port), () => server.stop(1_000))
