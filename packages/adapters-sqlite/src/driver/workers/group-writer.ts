/**
 * @module Sends writes to the writer: one by itself while the writer is free, those that came meanwhile as a group that shares a
 * transaction. See `answerGroup`.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { explained, writerBusy } from '../../errors/driver-error.ts'
import { mostMembers } from '../connection/interrupt.ts'
import type { Program } from '../program.ts'
import type { Reply } from './messages.ts'
import { remainingMs, type TimeLimit, within } from './time-limit.ts'
import type { Lease, WorkerPool } from './worker-pool.ts'
import type { ExecuteQuestion } from './worker-thread.ts'

export interface GroupWriter {
  /**
   * Runs one write in a transaction that no client has begun. It is committed when the reply is there.
   *
   * @throws {GatewayError} `queryTimeout`, and what `WorkerPool.acquire` throws.
   */
  write(question: ExecuteQuestion, limit: TimeLimit): Promise<Reply>
  /** Writes that wait for their turn. */
  waiting(): number
  /** Resolves when no write waits or runs. */
  idle(): Promise<void>
}

/** The most waiting writes; further ones are refused at once. */
const maxWaiting = 10_000

/** The members of a group take no longer than this together, by what they took before. In milliseconds. */
const longestGroupMs = 20

/** The weight of one run in the average time of a program. */
const weight = 1 / 8

const forever: TimeLimit = { deadline: Number.POSITIVE_INFINITY, signal: undefined }

/** A member that was stopped has this time to end; then the group is taken from its thread. In milliseconds. */
const patienceMs = 20

/** Where members cannot share a transaction, so many writes run by themselves before the next group is tried. */
const retriedAfter = 1_000

interface Write {
  readonly question: ExecuteQuestion
  readonly limit: TimeLimit
  settle(reply: Reply): void
  fail(error: unknown): void
  /** Stops it where it runs. False: it will be committed. Undefined while it waits. */
  stop: (() => boolean) | undefined
  isStopped: boolean
}

export function createGroupWriter(pool: WorkerPool): GroupWriter {
  const queue: Write[] = []
  const averagesMs = new WeakMap<Program, number>()
  let isSending = false
  let runsAlone = 0
  let onIdle: (() => void)[] = []

  const averageOf = ({ question }: Write) => averagesMs.get(question.program) ?? 0

  const settle = (write: Write, reply: Reply) => {
    if (reply.kind === 'rows') {
      const before = averagesMs.get(write.question.program) ?? reply.takenMs
      averagesMs.set(write.question.program, before + (reply.takenMs - before) * weight)
    }
    write.settle(reply)
  }

  /** From the front of the queue: at least one, if there is any. */
  const take = (): Write[] => {
    const most = runsAlone > 0 ? 1 : mostMembers
    runsAlone = Math.max(0, runsAlone - 1)
    let totalMs = 0
    const end = queue.findIndex((write, index) => {
      totalMs += averageOf(write)
      return index > 0 && (index === most || totalMs > longestGroupMs)
    })
    return queue.splice(0, end === -1 ? queue.length : end)
  }

  const sendAll = async (): Promise<void> => {
    while (queue.length > 0) await sendNext()
    isSending = false
    for (const resolve of onIdle) resolve()
    onIdle = []
  }

  const sendNext = async (): Promise<void> => {
    let lease: Lease
    try {
      lease = await pool.acquire(forever)
      // Requests that arrived together take part in the same group.
      await nextTurn()
    } catch (error) {
      for (const write of queue.splice(0)) write.fail(error)
      return
    }
    const writes = take()
    const [first] = writes
    if (first !== undefined && writes.length > 1) {
      await sendGroup(lease, writes)
      return
    }
    try {
      if (first !== undefined) await sendAlone(lease, first)
    } finally {
      lease.release()
    }
  }

  const sendAlone = async (lease: Lease, write: Write): Promise<void> => {
    write.stop = () => lease.stop()
    try {
      settle(write, await lease.ask(write.question, write.limit))
    } catch (error) {
      write.fail(error)
    }
  }

  /** Ends when the thread has replied, or when the group was taken from it. */
  const sendGroup = (lease: Lease, writes: readonly Write[]): Promise<void> =>
    new Promise((resolve) => {
      let isOver = false
      const end = () => {
        isOver = true
        lease.release()
        resolve()
      }
      /** A member cannot be stopped where a single step takes long. The others run on another thread. */
      const takeBack = (member: number) => {
        if (isOver || lease.runningMember() !== member || !lease.stop()) return
        const others = writes.filter((write) => !write.isStopped)
        for (const write of others) write.stop = undefined
        queue.unshift(...others)
        end()
      }
      for (const [member, write] of writes.entries()) {
        write.stop = () => {
          if (!lease.stop(member)) return false
          setTimeout(takeBack, patienceMs, member)
          return true
        }
      }
      const members = writes.map(({ question, limit }) => ({
        request: question,
        timeoutMs: remainingMs(limit),
      }))
      lease.askGroup({ kind: 'group', members }).then(
        (reply) => {
          if (isOver) return
          if (reply.kind === 'group' && !reply.isShared) runsAlone = retriedAfter
          for (const [index, write] of writes.entries()) {
            settle(write, (reply.kind === 'group' ? reply.replies[index] : undefined) ?? reply)
          }
          end()
        },
        (error: unknown) => {
          if (isOver) return
          for (const write of writes) write.fail(error)
          end()
        },
      )
    })

  return {
    write: async (question, limit) => {
      if (queue.length >= maxWaiting) throw explained('53000', false)
      let write: Write | undefined
      const done = new Promise<Reply>((settled, fail) => {
        write = { question, limit, settle: settled, fail, stop: undefined, isStopped: false }
        queue.push(write)
      })
      if (!isSending) {
        isSending = true
        void sendAll()
      }
      let waitedTooLong = false
      const stop = (): boolean => {
        if (write === undefined) return true
        write.isStopped = true
        if (write.stop !== undefined) {
          write.isStopped = write.stop()
          return write.isStopped
        }
        const at = queue.indexOf(write)
        if (at >= 0) queue.splice(at, 1)
        waitedTooLong = limit.signal?.aborted !== true
        return true
      }
      try {
        return await within(limit, done, stop)
      } catch (error) {
        throw waitedTooLong ? writerBusy(error) : error
      }
    },
    waiting: () => queue.length,
    idle: async () => {
      if (isSending) await new Promise<void>((resolve) => onIdle.push(resolve))
    },
  }
}
