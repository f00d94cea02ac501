/** @module Starts workers, starts them again when they end, replaces them one after the other, and stops them. */
import { randomBytes } from 'node:crypto'
import { GatewayError, type Log } from '@engine/core'
import type { RefusedConfiguration } from '@engine/http'
import { type BackOff, createBackOff } from './back-off.ts'
import { createHub, type Hub } from './hub.ts'
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
  return new WorkersOfServer(options)
}

/** A class: workers, their places and the replacements change together (decision 0088). */
class WorkersOfServer implements Supervisor {
  readonly #options: SupervisorOptions
  readonly #secret = randomBytes(32).toString('base64url')
  readonly #alive = new Set<WorkerProcess>()
  readonly #places: readonly Place[]
  readonly #hub: Hub
  #ports: Ports
  /** Those of the last start. */
  #actual: Ports | undefined
  #restarts = 0
  #isStopping = false
  /** Replacements run one after the other. */
  #replacing: Promise<void> = Promise.resolve()

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#ports = options.ports
    this.#places = Array.from({ length: options.count }, (_, i) => ({
      worker: i + 1,
      backOff: createBackOff(),
      current: undefined,
      timer: undefined,
    }))
    this.#hub = createHub({
      workers: () => [...this.#alive],
      restarts: () => this.#restarts,
    })
  }

  async start(): Promise<Addresses> {
    const starting = this.#places.map((place) => this.#begin(place.worker))
    this.#replacing = Promise.allSettled(starting).then(() => undefined)
    try {
      const begun = await Promise.all(starting)
      for (const [i, [worker]] of begun.entries()) this.#settle(this.#places[i] as Place, worker)
      const [first] = begun
      if (first === undefined) throw new GatewayError('internal', 'There is no worker.')
      const [, addresses] = first
      this.#actual = portsOf(addresses)
      return addresses
    } catch (error) {
      this.kill()
      await Promise.allSettled(starting)
      throw error
    }
  }

  replaceAll(): Promise<void> {
    this.#replacing = this.#replacing.then(async () => {
      try {
        await this.#replaceEach()
        if (!this.#isStopping) this.#options.log.info({}, 'all workers were replaced')
      } catch (err) {
        if (this.#isStopping) return
        this.#options.log.error({ err }, 'a worker cannot be started: the others go on')
        this.noteRefusal(err)
      }
    })
    return this.#replacing
  }

  async stop(): Promise<boolean> {
    this.#isStopping = true
    for (const { timer } of this.#places) clearTimeout(timer)
    const ends = [...this.#alive].map(async (worker) => {
      // It has accepted no request yet.
      if (worker.readyAtMs() === undefined) worker.kill()
      else worker.channel.ask({ what: 'stop' }).catch(() => undefined)
      const { code, signal } = await worker.ended
      return code === 0 || (signal !== null && worker.readyAtMs() === undefined)
    })
    return (await Promise.all(ends)).every((isInOrder) => isInOrder)
  }

  noteRefusal(error: unknown): void {
    const refusal = this.#options.refusalOf(error)
    for (const { channel } of this.#alive) {
      channel.ask({ what: 'note-refusal', refusal }).catch(() => undefined)
    }
  }

  kill(): void {
    this.#isStopping = true
    for (const { timer } of this.#places) clearTimeout(timer)
    for (const worker of this.#alive) worker.kill()
  }

  /** @returns a worker that has begun; in a place only after that. */
  async #begin(worker: number): Promise<readonly [WorkerProcess, Addresses]> {
    // The sockets were closed with the last worker: now a port of 0 would be another one.
    if (this.#alive.size === 0 && this.#actual !== undefined) this.#ports = this.#actual
    const beginning: Beginning = { worker, secret: this.#secret, ports: this.#ports }
    const started = startWorker(worker, this.#hub.answer)
    this.#alive.add(started)
    void started.ended.then(() => {
      this.#alive.delete(started)
      this.#hub.forget(started)
    })
    return [started, await started.begin(beginning)]
  }

  #settle(place: Place, started: WorkerProcess): void {
    clearTimeout(place.timer)
    place.current = started
    void started.ended.then(({ code, signal }) => {
      if (place.current !== started || this.#isStopping) return
      place.current = undefined
      this.#options.log.error(
        { worker: place.worker, pid: started.pid, code, signal },
        'a worker has ended',
      )
      this.#restartLater(place, performance.now() - (started.readyAtMs() ?? performance.now()))
    })
  }

  #restartLater(place: Place, ranMs: number): void {
    const pauseMs = place.backOff.ended(ranMs)
    place.timer = setTimeout(() => void this.#restart(place), pauseMs)
  }

  async #restart(place: Place): Promise<void> {
    this.#restarts += 1
    try {
      const [started] = await this.#begin(place.worker)
      if (this.#isStopping) {
        started.channel.ask({ what: 'stop' }).catch(() => undefined)
        return
      }
      // A replacement may have been quicker.
      if (place.current === undefined) this.#settle(place, started)
      else this.#retire(started)
      this.#options.log.info(
        { worker: place.worker, pid: started.pid },
        'a worker was started again',
      )
    } catch (err) {
      if (this.#isStopping || place.current !== undefined) return
      this.#options.log.error({ worker: place.worker, err }, 'a worker cannot be started')
      const isLast = this.#places.every(({ current }) => current === undefined)
      if (isLast && place.backOff.failures() >= mostFailures) this.#options.onGivingUp()
      else this.#restartLater(place, 0)
    }
  }

  #retire(worker: WorkerProcess): void {
    void worker.channel.ask({ what: 'retire' }).catch(() => undefined)
  }

  async #replace(place: Place): Promise<void> {
    const [started] = await this.#begin(place.worker)
    if (this.#isStopping) return
    const old = place.current
    this.#settle(place, started)
    if (old !== undefined) this.#retire(old)
  }

  async #replaceEach(): Promise<void> {
    for (const place of this.#places) {
      if (this.#isStopping) return
      await this.#replace(place)
    }
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
