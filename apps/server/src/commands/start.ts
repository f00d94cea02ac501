/** @module `engine-server`: serves until it gets a stop signal. */
import { createLogger } from '../logger.ts'
import { prepare } from '../starting/prepare.ts'
import { serveAlone } from '../starting/serve-alone.ts'
import { endOnBugs } from '../starting/stopping.ts'
import { isWorker } from '../workers/worker-side.ts'

export { startArguments } from '../starting/prepare.ts'

export async function start(rawArgs: readonly string[]): Promise<void> {
  const log = createLogger()
  endOnBugs(log)
  if (isWorker()) {
    const { runWorker } = await import('../workers/run-worker.ts')
    await runWorker(rawArgs, log)
    return
  }
  const prepared = await prepare(rawArgs)
  log.protect(prepared.config)
  log.setLevel(prepared.settings.log.level)
  if (prepared.workers === 1) {
    await serveAlone(prepared, log)
    return
  }
  const { runSupervisor } = await import('../workers/run-supervisor.ts')
  await runSupervisor(prepared, log)
}
