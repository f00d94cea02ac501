/** @module `engine-server`: serves until it gets a stop signal. */
import { createLogger } from '../logging/logger.ts'
import { prepare } from '../starting/prepare.ts'
import { createProgress, noProgress } from '../starting/progress.ts'
import { serveAlone } from '../starting/serve-alone.ts'
import { endOnBugs } from '../starting/stopping.ts'
import { isDeveloperAt, paintOn } from '../terminal/terminal.ts'
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
  const { stderr, env } = process
  const shown = createProgress(stderr, paintOn(stderr), () => performance.now())
  const prepared = await prepare(rawArgs, () => shown.step('Filling the demo shop'))
  shown.end()
  log.protect(prepared.config)
  log.setLevel(prepared.settings.log.level)
  if (prepared.workers === 1) {
    // The demo is for people, wherever they read it; the log of another server is one for programs.
    const isShown = prepared.demo !== undefined || isDeveloperAt(stderr, env)
    await serveAlone(prepared, log, isShown ? shown : noProgress)
    return
  }
  const { runSupervisor } = await import('../workers/run-supervisor.ts')
  await runSupervisor(prepared, log)
}
