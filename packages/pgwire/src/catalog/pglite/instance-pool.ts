/** @module A few embedded PostgreSQLs, each with the mirrors of one visible catalog: started when needed, ended when idle. */
import { GatewayError, type Log } from '@engine/core'
import type { PgWireLoad, VisibleCatalog } from '@engine/core/session'
import { covers } from './covers.ts'
import type { PgliteInstance } from './pglite-instance.ts'
import { cancelled } from './pglite-process.ts'
import {
  type Borrower,
  createTurns,
  createWaiter,
  type Member,
  type Waiter,
} from './pool-waiter.ts'
import { createStartFailures } from './start-failures.ts'

export interface InstancePool {
  /**
   * Lends an instance exclusively to `use`. A visible catalog that uses all other instances does not get the last one.
   * Among the waiting callers, the one served longest ago is next. While the instance of a catalog is built, an older one serves that
   * shows nothing else.
   *
   * @throws {GatewayError} 57014 when `signal` aborts while it waits; what starting an instance throws.
   */
  lend<Result>(
    borrower: Borrower,
    signal: AbortSignal,
    use: (instance: PgliteInstance) => Promise<Result>,
  ): Promise<Result>
  state(): PgWireLoad['catalog']
  close(): Promise<void>
}

export interface InstancePoolOptions {
  readonly start: (visible: VisibleCatalog) => Promise<PgliteInstance>
  /** Maximum number of instances for all visible catalogs together. */
  readonly maxInstances: number
  /** A caller that has waited this long for a busy instance gets a second one, so that a slow statement does not block others. */
  readonly maxWaitMs: number
  /** A caller that has waited this long for the instance of its own catalog takes an older one that shows nothing else. */
  readonly maxFreshMs: number
  /** An instance that was not used for this long ends. */
  readonly idleMs: number
  readonly log: Log
}

/** Maximum number of instances for one visible catalog: its callers must not take all instances. */
const maxPerCatalog = 3

/** Maximum number of waiting callers; more are refused. */
const maxWaiting = 1_000

export function createInstancePool(options: InstancePoolOptions): InstancePool {
  return new Instances(options)
}

/** A class: instances and the callers that wait for them change together (decision 0088). */
class Instances implements InstancePool {
  readonly #options: InstancePoolOptions
  readonly #members = new Set<Member>()
  readonly #waiters = new Set<Waiter>()
  readonly #turns = createTurns()
  readonly #failures = createStartFailures(() => this.#serve())
  #uses = 0
  #isClosed = false

  constructor(options: InstancePoolOptions) {
    this.#options = options
  }

  async lend<Result>(
    borrower: Borrower,
    signal: AbortSignal,
    use: (instance: PgliteInstance) => Promise<Result>,
  ): Promise<Result> {
    const member = await this.#acquire(borrower, signal)
    const { instance } = member
    if (instance === undefined) throw new Error('an instance was lent before it had started')
    try {
      return await use(instance)
    } finally {
      this.#release(member, instance)
    }
  }

  state(): PgWireLoad['catalog'] {
    const servers = [...this.#members].filter(({ instance }) => instance !== undefined).length
    return { status: this.#status(servers), servers, failures: this.#failures.count() }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const waiter of this.#waiters) waiter.fail(closed())
    await Promise.all([...this.#members].map((member) => this.#remove(member)))
  }

  #status(servers: number): PgWireLoad['catalog']['status'] {
    if (servers > 0) return 'ready'
    if (this.#members.size > 0) return 'starting'
    return this.#failures.reason() === undefined ? 'idle' : 'failed'
  }

  async #acquire(borrower: Borrower, signal: AbortSignal): Promise<Member> {
    if (this.#isClosed) throw closed()
    if (signal.aborted) throw cancelled(signal)
    if (this.#waiters.size >= maxWaiting) throw tooMany()
    const waiter = createWaiter(borrower, signal, {
      ...this.#options,
      onChange: () => this.#serve(),
      onEnd: () => void this.#waiters.delete(waiter),
    })
    this.#waiters.add(waiter)
    this.#serve()
    const failure = this.#failures.reason()
    if (failure !== undefined && this.#waiters.has(waiter)) {
      const hasOwn = this.#membersOf(borrower.visible.key).length > 0
      if (!hasOwn && !this.#serveWithOlder(waiter)) waiter.fail(failure.error)
    }
    return waiter.member
  }

  #release(member: Member, instance: PgliteInstance): void {
    if (this.#isClosed || !instance.isUsable()) {
      void this.#remove(member)
      // An instance was needed, so another one will be needed soon, and the next client should not wait.
      const isLast = this.#membersOf(member.key).length === 0
      if (!this.#isClosed && isLast && this.#hasRoom()) this.#open(member.visible)
    } else {
      this.#rest(member)
    }
    this.#serve()
  }

  /** Gives idle instances to waiters, and starts missing ones. */
  #serve(): void {
    for (const waiter of this.#turns.inOrder(this.#waiters)) {
      if (!this.#hasEnough(waiter)) this.#serveOne(waiter)
    }
  }

  #serveOne(waiter: Waiter): void {
    const { key } = waiter.visible
    for (const member of this.#membersOf(key)) if (isGone(member)) void this.#remove(member)
    const own = this.#membersOf(key)
    const idle = own.find(({ isBusy }) => !isBusy)
    if (idle !== undefined) {
      this.#give(idle, waiter)
      return
    }
    const isStarting = own.some(({ instance }) => instance === undefined)
    if (isStarting && waiter.takesOlder && this.#serveWithOlder(waiter)) return
    const isEnough = own.length > 0 && !(waiter.hasWaitedLong && own.length < maxPerCatalog)
    if (isStarting || isEnough || this.#failures.reason() !== undefined) return
    if (this.#hasRoom()) this.#open(waiter.visible)
  }

  /** @returns whether an instance of an older catalog is free that shows nothing but what the newer one shows. */
  #serveWithOlder(waiter: Waiter): boolean {
    const older = [...this.#members].find(
      (member) => !member.isBusy && !isGone(member) && covers(waiter.visible, member.visible),
    )
    if (older === undefined) return false
    this.#give(older, waiter)
    return true
  }

  #give(member: Member, waiter: Waiter): void {
    clearTimeout(member.idleTimer)
    member.isBusy = true
    member.callerKey = waiter.callerKey
    this.#turns.took(waiter)
    waiter.take(member)
  }

  /** Whether the caller has as many instances as one caller may have. */
  #hasEnough({ visible: { key }, callerKey }: Waiter): boolean {
    if (callerKey === undefined) return false
    const own = this.#membersOf(key).filter(
      (member) => member.isBusy && member.callerKey === callerKey,
    )
    return own.length >= maxPerCatalog - 1
  }

  /** Returns whether one more instance may start; ends the instance idle for longest where that is necessary. */
  #hasRoom(): boolean {
    if (this.#members.size < this.#options.maxInstances) return true
    const idle = [...this.#members].filter(({ isBusy }) => !isBusy)
    const oldest = idle.reduce<Member | undefined>(
      (first, member) => (first === undefined || member.lastUse < first.lastUse ? member : first),
      undefined,
    )
    if (oldest === undefined) return false
    void this.#remove(oldest)
    return true
  }

  #open(visible: VisibleCatalog): void {
    const member: Member = {
      key: visible.key,
      visible,
      instance: undefined,
      isBusy: true,
      callerKey: undefined,
      lastUse: 0,
      idleTimer: undefined,
    }
    this.#members.add(member)
    this.#options.start(visible).then(
      (instance) => this.#started(member, instance),
      (error: unknown) => this.#failed(member, error),
    )
  }

  #started(member: Member, instance: PgliteInstance): void {
    member.instance = instance
    this.#failures.forget()
    if (this.#isClosed) return void this.#remove(member)
    this.#rest(member)
    this.#serve()
  }

  #failed(member: Member, error: unknown): void {
    this.#members.delete(member)
    this.#failures.note(error)
    const { log } = this.#options
    log.error({ err: error }, 'an embedded PostgreSQL for the system catalogs did not start')
    for (const waiter of this.#waiters) {
      if (waiter.visible.key === member.key && !this.#serveWithOlder(waiter)) waiter.fail(error)
    }
    this.#serve()
  }

  #rest(member: Member): void {
    member.isBusy = false
    member.callerKey = undefined
    member.lastUse = ++this.#uses
    const end = () => void this.#remove(member)
    member.idleTimer = setTimeout(end, this.#options.idleMs).unref()
  }

  #remove(member: Member): Promise<void> {
    this.#members.delete(member)
    clearTimeout(member.idleTimer)
    return member.instance?.end() ?? Promise.resolve()
  }

  #membersOf(key: string): readonly Member[] {
    return [...this.#members].filter((member) => member.key === key)
  }
}

/** It ended while it was idle. */
function isGone({ isBusy, instance }: Member): boolean {
  return !isBusy && instance?.isUsable() === false
}

function closed(): GatewayError {
  return new GatewayError('unavailable', 'the system catalogs are closed', { sqlState: '57P01' })
}

function tooMany(): GatewayError {
  return new GatewayError('limitExceeded', 'too many statements wait for the system catalogs', {
    sqlState: '53000',
  })
}
