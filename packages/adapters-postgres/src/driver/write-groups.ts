/**
 * @module INSERTs of several callers share a transaction: one message to the server, one commit, one wait for the disk. Where one of
 * them fails, all are undone, and each runs again by itself, so that no caller gets an error that is not its own.
 */
import type { Execution, ResultSet } from '@engine/core/adapter'
import { DatabaseError } from 'pg'
import type { GroupOutcome } from './group-exchange.ts'
import { GroupMember } from './group-member.ts'
import { hintsOf } from './native-statement.ts'
import type { ServerSession } from './session.ts'
import { sharesTransactions } from './shares-transactions.ts'

/** INSERTs that share transactions. */
export interface WriteGroups {
  /**
   * Runs a statement in a transaction with others.
   *
   * @returns undefined where it needs its own transaction; a promise of undefined where that turns out later: then nothing of it is
   *   stored.
   * @throws {GatewayError} `unavailable` where the connection broke: it may be stored.
   */
  run(execution: Execution): Promise<ResultSet | undefined> | undefined
  /** Uses the current connections no more. */
  renew(): void
  /** Accepts no more statements. */
  close(): void
}

export interface WriteGroupsOptions {
  /** Maximum connections. */
  readonly most: number
  /** A session whose statements have this limit, in milliseconds. */
  readonly acquire: (timeoutMs: number) => Promise<ServerSession>
  readonly release: (session: ServerSession) => void
  /** Maps an error of a session. */
  readonly toError: (error: unknown) => unknown
  /** Connections in use, including those of groups. */
  readonly busy: () => number
}

/** With fewer concurrent statements, each has its own connection. */
const leastUnderWay = 4

/** Maximum statements of a group. */
const mostMembers = 32

/** Maximum length of a statement's values, in characters: others wait while they are sent. */
const mostLength = 16_384

/** Maximum number of a statement's values: one with many more is not kept prepared. */
const mostValues = 1_000

/** Attempts to prove that statements share a transaction: the connection can break, and a busy server take too long. */
const mostProofs = 3

/**
 * Time limit of a statement in a group, in milliseconds: one that waits for a lock, or takes long with its values, is undone and
 * runs again by itself.
 */
const limitMs = 100

/** Interval of the checks, in milliseconds. */
const checkMs = 25

/** Milliseconds for which a connection without statements is kept. */
const keepMs = 200

/** Runs for which a statement shares no transaction after an error of its own. */
const failureRuns = 50

/** SQLSTATEs of statements that waited for others, or took too long. */
const waits: ReadonlySet<string> = new Set(['57014', '55P03', '40P01', '40001'])

export function createWriteGroups(options: WriteGroupsOptions): WriteGroups {
  return new Groups(options)
}

/** A connection that runs one group at a time. */
interface GroupSession {
  readonly session: ServerSession
  /** Statements that it runs now; 0: it is free. */
  members: number
  quietSinceMs: number
  /** It runs no other group. */
  isEnding: boolean
}

class Groups implements WriteGroups {
  readonly #options: WriteGroupsOptions
  readonly #sessions = new Set<GroupSession>()
  #line: GroupMember[] = []
  #isSending = false
  #isOpening = false
  #isWatching = false
  #isClosed = false
  /** 0: statements of this database share no transactions. See `sharesTransactions`. */
  #proofsLeft = mostProofs

  constructor(options: WriteGroupsOptions) {
    this.#options = options
  }

  run(execution: Execution): Promise<ResultSet | undefined> | undefined {
    if (this.#isClosed || this.#proofsLeft === 0) return undefined
    const { shares, latency } = hintsOf(execution.statement)
    if (shares !== 'transaction' || latency === undefined || !isFit(execution)) return undefined
    if (!latency.isBrief() || this.#underWay() < leastUnderWay) return undefined
    const { size } = this.#sessions
    if (size === 0 || this.#line.length >= mostMembers) this.#open(execution.timeoutMs)
    if (size === 0) return undefined
    return new Promise((resolve, reject) => {
      this.#line.push(new GroupMember(execution, latency, resolve, reject))
      if (this.#isSending) return
      this.#isSending = true
      setImmediate(() => {
        this.#isSending = false
        this.#send()
      })
    })
  }

  renew(): void {
    this.#proofsLeft = mostProofs
    for (const each of [...this.#sessions]) this.#end(each)
  }

  close(): void {
    this.#isClosed = true
    for (const member of this.#line.splice(0)) member.runAlone()
    for (const each of [...this.#sessions]) this.#end(each)
  }

  #underWay(): number {
    let count = this.#options.busy() - this.#sessions.size + this.#line.length
    for (const { members } of this.#sessions) count += members
    return count
  }

  #open(timeoutMs: number): void {
    const { most, acquire, release } = this.#options
    if (this.#isOpening || this.#sessions.size >= most || timeoutMs < limitMs) return
    this.#isOpening = true
    acquire(limitMs)
      .then(async (session) => {
        // An unexpected error must not keep the session.
        const canShare = await sharesTransactions(session, limitMs).catch(() => undefined)
        if (canShare === true && !this.#isClosed) {
          this.#add(session)
          return
        }
        if (canShare === false) this.#proofsLeft = 0
        if (canShare === undefined) this.#proofsLeft = Math.max(0, this.#proofsLeft - 1)
        release(session)
      })
      // Statements then run on other connections, and report errors of the database there.
      .catch(() => undefined)
      .finally(() => {
        this.#isOpening = false
      })
  }

  #add(session: ServerSession): void {
    this.#sessions.add({ session, members: 0, quietSinceMs: performance.now(), isEnding: false })
    this.#watch()
  }

  #watch(): void {
    if (this.#isWatching || this.#sessions.size === 0) return
    this.#isWatching = true
    setTimeout(() => {
      this.#isWatching = false
      this.#check()
      this.#watch()
    }, checkMs).unref()
  }

  /** Statements do not wait for a connection for long, nor connections for statements. */
  #check(): void {
    const nowMs = performance.now()
    this.#line = this.#line.filter((member) => {
      if (!member.leaves(nowMs)) return true
      member.runAlone()
      return false
    })
    for (const each of this.#sessions) {
      if (each.members === 0 && nowMs - each.quietSinceMs > keepMs) this.#end(each)
    }
  }

  #end(each: GroupSession): void {
    each.isEnding = true
    if (each.members > 0) return
    this.#sessions.delete(each)
    this.#options.release(each.session)
    if (this.#sessions.size > 0) return
    for (const member of this.#line.splice(0)) member.runAlone()
  }

  #send(): void {
    for (const each of [...this.#sessions]) {
      if (this.#line.length === 0) return
      if (each.members === 0 && !each.isEnding) this.#sendOn(each)
    }
  }

  #sendOn(each: GroupSession): void {
    if (!each.session.isAlive()) {
      this.#end(each)
      return
    }
    const members: GroupMember[] = []
    while (members.length < mostMembers) {
      const member = this.#line.shift()
      if (member === undefined) break
      if (member.isWanted()) members.push(member)
    }
    if (members.length > 0) void this.#runGroup(each, members)
  }

  async #runGroup(each: GroupSession, members: readonly GroupMember[]): Promise<void> {
    const startMs = performance.now()
    each.members = members.length
    const patienceMs = Math.max(...members.map((member) => member.timeoutMs))
    const outcome = await each.session
      .runTogether(members, patienceMs)
      .catch((error: unknown): GroupOutcome => ({ kind: 'unknown', error }))
    each.quietSinceMs = performance.now()
    each.members = 0
    this.#tell(members, outcome, (each.quietSinceMs - startMs) / members.length)
    if (outcome.kind === 'unknown') each.session.condemn()
    if (each.isEnding || outcome.kind === 'unknown') this.#end(each)
    if (this.#line.length > 0) this.#send()
  }

  #tell(members: readonly GroupMember[], outcome: GroupOutcome, msEach: number): void {
    if (outcome.kind === 'undone') blame(members, outcome)
    for (const [index, member] of members.entries()) {
      switch (outcome.kind) {
        case 'committed':
          member.latency.record(msEach)
          member.finish(outcome.tags[index] ?? '')
          break
        case 'undone':
          member.runAlone()
          break
        case 'unknown':
          member.fail(this.#options.toError(outcome.error))
      }
    }
  }
}

/**
 * Statements that made others run twice share no transactions for a while: those that fail where one in fifty does, those that
 * wait where one in 250 does. Where the commit failed, each of them may have been the reason.
 */
function blame(
  members: readonly GroupMember[],
  { error, failedAt }: Extract<GroupOutcome, { readonly kind: 'undone' }>,
): void {
  const runs = isWait(error) ? undefined : failureRuns
  const failed = members[failedAt]
  for (const { latency } of failed === undefined ? members : [failed]) {
    latency.excludeFromSharing(runs)
  }
}

/** Time limits, deadlocks, and conflicts of transactions. */
function isWait(error: unknown): boolean {
  return error instanceof DatabaseError && waits.has(error.code ?? '')
}

/** A slow reader of rows must not hold up a group, a short limit would end with it, and long values take time to send. */
function isFit({ receiver, statement, values, timeoutMs }: Execution): boolean {
  if (receiver !== undefined || statement.settings !== undefined || timeoutMs < limitMs)
    return false
  const [own = []] = values
  if (own.length > mostValues) return false
  let length = 0
  for (const value of own) {
    if (value !== null && typeof value !== 'string') return false
    length += value?.length ?? 0
  }
  return length <= mostLength
}
