/** @module Starts workers, starts them again when they end, replaces them one after the other, and stops them. */
import { randomBytes } from 'node:crypto'
import { GatewayError, type Log } from '@engine/core'
import type { RefusedConfiguration } from '@engine/http'
import { type BackOff, createBackOff } from './back-off.ts'
import { createHub } from './hub.ts'
import type { Addresses, Beginning, Ports } from './questions.ts'
import { startWorker, type WorkerProcess } from './worker-process.ts'

export interface SupervisorOptions {
  readonly count: number
  /** As the configuration says. */
  readonly ports: Ports
  readonly log: Log
  /** Describes an error of the configuration file. */
  readonly refusalOf: (error: unknown) => RefusedConfiguration
  /** No worker is left, and none can be started. */
  readonly onGivingUp: () => void
}

export interface Supervisor {
  /**
   * Resolves when all workers accept requests.
   *
   * @throws {GatewayError} with the first reason why one does not; then all are ended.
   */
  start(): Promise<Addresses>
  /**
   * Replaces each worker by a new one that is ready before the old one accepts no more. A worker that cannot start ends
   * the replacement: the other old ones go on.
   */
  replaceAll(): Promise<void>
  /** The workers show administrators why the configuration file is not used. */
  noteRefusal(error: unknown): void
  /** Stops all workers. Resolves with true when each has closed everything in order. */
  stop(): Promise<boolean>
  /** Ends all workers at once. */
  kill(): void
}

/** The place of a worker: at each time one worker has it, or waits to be started. */
interface Place {
  readonly worker: number
  readonly backOff: BackOff
  current: WorkerProcess | undefined
  timer: NodeJS.Timeout | undefined
}

/** The number of failed starts in a row of one worker after which all end, when no other worker runs. */
const mostFailures = 5

export function createSupervisor(options: SupervisorOptions): Supervisor {
  const { count, log, refusalOf, onGivingUp } = options
  const secret = randomBytes(32).toString('base64url')
  const alive = new Set<WorkerProcess>()
  const places: readonly Place[] = Array.from({ length: count }, (_, i) => ({
    worker: i + 1,
    backOff: createBackOff(),
    current: undefined,
    timer: undefined,
  }))
  let { ports } = options
  let actual: Ports | undefined
  let restarts = 0
  let isStopping = false
  /** Replacements run one after the other. */
  let replacing: Promise<void> = Promise.resolve()

  const hub = createHub({ workers: () => [...alive], restarts: () => restarts })

  /** @returns a worker that has begun; in a place only after that. */
  const begin = async (worker: number): Promise<readonly [WorkerProcess, Addresses]> => {
    // The sockets were closed with the last worker: now a port of 0 would be another one.
    if (alive.size === 0 && actual !== undefined) ports = actual
    const beginning: Beginning = { worker, secret, ports }
    const started = startWorker(worker, hub.answer)
    alive.add(started)
    void started.ended.then(() => {
      alive.delete(started)
      hub.forget(started)
    })
    return [started, await started.begin(beginning)]
  }

  const settle = (place: Place, started: WorkerProcess) => {
    clearTimeout(place.timer)
    place.current = started
    void started.ended.then(({ code, signal }) => {
      if (place.current !== started || isStopping) return
      place.current = undefined
      log.error({ worker: place.worker, pid: started.pid, code, signal }, 'a worker has ended')
      restartLater(place, performance.now() - (started.readyAtMs() ?? performance.now()))
    })
  }

  const restartLater = (place: Place, ranMs: number) => {
    const pauseMs = place.backOff.ended(ranMs)
    place.timer = setTimeout(() => void restart(place), pauseMs)
  }

  const restart = async (place: Place): Promise<void> => {
    restarts += 1
    try {
      const [started] = await begin(place.worker)
      if (isStopping) return void started.channel.ask({ what: 'stop' }).catch(() => undefined)
      // A replacement may have been quicker.
      if (place.current === undefined) settle(place, started)
      else retire(started)
      log.info({ worker: place.worker, pid: started.pid }, 'a worker was started again')
    } catch (err) {
      if (isStopping || place.current !== undefined) return
      log.error({ worker: place.worker, err }, 'a worker cannot be started')
      const isLast = places.every(({ current }) => current === undefined)
      if (isLast && place.backOff.failures() >= mostFailures) return onGivingUp()
      restartLater(place, 0)
    }
  }

  const retire = (worker: WorkerProcess) =>
    void worker.channel.ask({ what: 'retire' }).catch(() => undefined)

  const replace = async (place: Place): Promise<void> => {
    const [started] = await begin(place.worker)
    if (isStopping) return
    const old = place.current
    settle(place, started)
    if (old !== undefined) retire(old)
  }

  const replaceEach = async (): Promise<void> => {
    for (const place of places) {
      if (isStopping) return
      await replace(place)
    }
  }

  const noteRefusal = (error: unknown) => {
    const refusal = refusalOf(error)
    for (const { channel } of alive) {
      channel.ask({ what: 'note-refusal', refusal }).catch(() => undefined)
    }
  }

  const kill = () => {
    isStopping = true
    for (const { timer } of places) clearTimeout(timer)
    for (const worker of alive) worker.kill()
  }

  return {
    start: async () => {
      const starting = places.map((place) => begin(place.worker))
      replacing = Promise.allSettled(starting).then(() => undefined)
      try {
        const begun = await Promise.all(starting)
        for (const [i, [worker]] of begun.entries()) settle(places[i] as Place, worker)
        const [first] = begun
        if (first === undefined) throw new GatewayError('internal', 'There is no worker.')
        const [, addresses] = first
        actual = portsOf(addresses)
        return addresses
      } catch (error) {
        kill()
        await Promise.allSettled(starting)
        throw error
      }
    },
    replaceAll: () => {
      replacing = replacing.then(async () => {
        try {
          await replaceEach()
          if (!isStopping) log.info({}, 'all workers were replaced')
        } catch (err) {
          if (isStopping) return
          log.error({ err }, 'a worker cannot be started: the others go on')
          noteRefusal(err)
        }
      })
      return replacing
    },
    noteRefusal,
    stop: async () => {
      isStopping = true
      for (const { timer } of places) clearTimeout(timer)
      const ends = [...alive].map(async (worker) => {
        // It has accepted no request yet.
        if (worker.readyAtMs() === undefined) worker.kill()
        else worker.channel.ask({ what: 'stop' }).catch(() => undefined)
        const { code, signal } = await worker.ended
        return code === 0 || (signal !== null && worker.readyAtMs() === undefined)
      })
      return (await Promise.all(ends)).every((isInOrder) => isInOrder)
    },
    kill,
  }
}

function portsOf({ http, pgWire, internal }: Addresses): Ports {
  const portOf = (url: string | undefined) =>
    url === undefined ? undefined : Number(new URL(url).port)
  return {
    http: Number(new URL(http).port || 80),
    pgWire: pgWire === undefined ? undefined : portOf(`postgres://${pgWire}`),
    internal: portOf(internal),
  }
}
