/** @module The process that starts the workers: it serves nothing itself. */
import cluster from 'node:cluster'
import { fail } from '../command-line/outcome.ts'
import { checkConfig } from '../configuration/adapters.ts'
import { parseServerConfig } from '../configuration/parse-server-config.ts'
import type { Logger } from '../logging/logger.ts'
import { withSmallYoungGeneration } from '../process/v8-memory.ts'
import { refusalOf } from '../reload/refusal.ts'
import { printReady } from '../starting/addresses.ts'
import type { Prepared } from '../starting/prepare.ts'
import { showScreen } from '../starting/show-screen.ts'
import { closeMs, drainMs } from '../starting/stopping.ts'
import { createSupervisor, type Supervisor } from './supervise.ts'

/** Milliseconds that workers may take longer than their own limit, until they are ended. */
const spareMs = 2_000

export async function runSupervisor(prepared: Prepared, log: Logger): Promise<void> {
  const { port, settings, stopDelayMs, workers: count } = prepared
  // Workers accept from one socket themselves; by default the supervisor would accept, and pass each connection on.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  cluster.setupPrimary({ execArgv: withSmallYoungGeneration(process.execArgv) })
  const supervisor = createSupervisor({
    count,
    ports: { http: port, pgWire: settings.pgWire?.port, internal: settings.internal?.port },
    log,
    refusalOf: (error) =>
      refusalOf(error, { files: prepared.files, nowMs: Date.now(), redact: log.redact }),
    onGivingUp: () => {
      log.error({}, 'no worker runs, and none can be started: the server ends')
      process.exit(1)
    },
  })
  const isStopping = stopOnSignals(supervisor, log, stopDelayMs)
  process.on('SIGHUP', () => void replaceAll(supervisor, prepared, log))
  try {
    const addresses = await supervisor.start()
    printReady(addresses, prepared.isJson, { workers: count })
    showScreen(prepared, addresses, undefined)
  } catch (error) {
    // Otherwise the workers were ended on purpose.
    if (!isStopping()) fail(error)
  }
}

async function replaceAll(
  supervisor: Supervisor,
  { loadAgain }: Prepared,
  log: Logger,
): Promise<void> {
  try {
    const { config } = parseServerConfig(await loadAgain())
    log.protect(config)
    await checkConfig(config)
  } catch (err) {
    log.error({ err }, 'the configuration cannot be used: the workers keep the one they have')
    supervisor.noteRefusal(err)
    return
  }
  await supervisor.replaceAll()
}

/** @returns a function that says whether a signal has come. */
function stopOnSignals(supervisor: Supervisor, log: Logger, stopDelayMs: number): () => boolean {
  let isStopping = false
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) {
      supervisor.kill()
      process.exit(1)
    }
    isStopping = true
    log.info({ signal }, 'stopping')
    setTimeout(
      () => {
        log.error({}, 'workers did not end in time')
        supervisor.kill()
        process.exit(1)
      },
      stopDelayMs + drainMs + closeMs + spareMs,
    ).unref()
    void supervisor.stop().then((isInOrder) => process.exit(isInOrder ? 0 : 1))
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
  return () => isStopping
}
