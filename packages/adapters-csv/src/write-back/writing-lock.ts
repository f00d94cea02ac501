/**
 * @module A lock file for replacing the files of a directory: only one process does so at a time, and the next process
 * finishes the moves of a killed one.
 */
import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { GatewayError } from '@engine/core/adapter'
import { finishMoves, isMove, type Move } from './move-file.ts'
import { isRunning, startOfProcess } from './process-start.ts'
import { syncDirectory } from './sync-directory.ts'

/** Readers of the directory ignore it. */
const lockName = '.engine-writing'

/** Content of a lock file. */
interface Holder {
  readonly pid: number
  readonly host: string
  /** Start time of the process: another process may have the same id later. */
  readonly start: string | undefined
  readonly moves: readonly Move[]
}

/** Replacing files is quick: an owner that takes longer hangs, or was killed on another machine. In milliseconds. */
const abandonedMs = 30_000

/** Maximum time for writing a lock file. In milliseconds. */
const unfinishedMs = 5_000

/** How long to wait for the lock of another process. In milliseconds. */
const lockTimeoutMs = 10_000

/**
 * Replaces files under a lock, so that no other process does so at the same time.
 *
 * @param moves the planned moves: another process finishes them if this one is interrupted.
 * @throws {GatewayError} `unavailable` when another process does not release its lock.
 * @throws {Error} of the file system.
 */
export async function whileWriting<T>(
  directory: string,
  moves: readonly Move[],
  body: () => Promise<T>,
): Promise<T> {
  const path = join(directory, lockName)
  const giveUpAt = performance.now() + lockTimeoutMs
  while (!(await tryLock(directory, path, moves))) {
    if (finishAbandonedWriting(directory)) continue
    if (performance.now() > giveUpAt) {
      const message = 'Another process is writing the files: nothing was changed.'
      throw new GatewayError('unavailable', message, { sqlState: '55P03' })
    }
    await delay(5 + 15 * Math.random())
  }
  try {
    return await body()
  } finally {
    await rm(path, { force: true })
  }
}

async function tryLock(directory: string, path: string, moves: readonly Move[]): Promise<boolean> {
  const { pid } = process
  const holder: Holder = { pid, host: hostname(), start: startOfProcess(pid), moves }
  const file = await open(path, 'wx').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return undefined
    throw error
  })
  if (file === undefined) return false
  try {
    try {
      await file.writeFile(JSON.stringify(holder))
      // A single file is either replaced or not; for several, the record lists the remaining ones.
      if (moves.length > 1) await file.sync()
    } finally {
      await file.close()
    }
    if (moves.length > 1) await syncDirectory(directory)
    return true
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

/**
 * Finishes the moves of a process that no longer runs: all of its files are replaced, or none.
 *
 * @returns false when another process still holds the lock.
 * @throws {Error} of the file system.
 */
export function finishAbandonedWriting(directory: string): boolean {
  const path = join(directory, lockName)
  const seen = readLock(path)
  if (seen === undefined) return true
  if (!isAbandoned(seen)) return false
  finishMoves(directory, seen.holder?.moves ?? [])
  removeLock(path, seen.text)
  return true
}

interface SeenLock {
  readonly text: string
  /** Undefined where the text is not (or not yet) the content of a lock file. */
  readonly holder: Holder | undefined
  readonly ageMs: number
}

function readLock(path: string): SeenLock | undefined {
  try {
    const text = readFileSync(path, 'utf8')
    return { text, holder: holderOf(text), ageMs: Date.now() - statSync(path).mtimeMs }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

function holderOf(text: string): Holder | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  return isHolder(value) ? value : undefined
}

function isHolder(value: unknown): value is Holder {
  if (typeof value !== 'object' || value === null) return false
  const { pid, host, start, moves }: Partial<Record<keyof Holder, unknown>> = value
  const isNamed = Number.isInteger(pid) && typeof host === 'string'
  const isDated = start === undefined || typeof start === 'string'
  return isNamed && isDated && Array.isArray(moves) && moves.every(isMove)
}

function isAbandoned({ holder, ageMs }: SeenLock): boolean {
  if (holder === undefined) return ageMs > unfinishedMs
  if (ageMs > abandonedMs) return true
  return holder.host === hostname() && !isRunning(holder.pid, holder.start)
}

/** Another process may have removed the lock meanwhile, and a third one may have created a new one. */
function removeLock(path: string, text: string): void {
  const aside = `${path}.${randomBytes(6).toString('hex')}`
  try {
    renameSync(path, aside)
    if (readFileSync(aside, 'utf8') !== text) linkSync(aside, path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code !== 'ENOENT' && code !== 'EEXIST') throw error
  } finally {
    rmSync(aside, { force: true })
  }
}
