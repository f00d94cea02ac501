/** @module Checks whether a process id still belongs to the same process. */
import { readFileSync } from 'node:fs'

/**
 * Start time of a process, as a text that is valid only on this machine; undefined where the system does not provide
 * it.
 */
export function startOfProcess(pid: number): string | undefined {
  try {
    // The program name is in parentheses, and may contain any character.
    const [, afterName = ''] = /^.*\)\s(.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return afterName.split(' ')[19]
  } catch {
    return undefined
  }
}

/** @param start an earlier result of `startOfProcess` for it. */
export function isRunning(pid: number, start: string | undefined): boolean {
  if (!isAlive(pid)) return false
  const now = startOfProcess(pid)
  return now === undefined || start === undefined || now === start
}

/** Returns whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
