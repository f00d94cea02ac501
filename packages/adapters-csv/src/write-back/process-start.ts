/** @module Checks whether a process id still belongs to the same process. */
import { readFileSync } from 'node:fs'

/** When a process began, as a text that is valid only on this machine; undefined where the system does not provide it. */
export function startOfProcess(pid: number): string | undefined {
  try {
    // The name of the program stands in parentheses, and may hold anything.
    const [, afterName = ''] = /^.*\)\s(.*)$/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
    return afterName.split(' ')[19]
  } catch {
    return undefined
  }
}

/** @param start what `startOfProcess` said of it once. */
export function isRunning(pid: number, start: string | undefined): boolean {
  if (!isAlive(pid)) return false
  const now = startOfProcess(pid)
  return now === undefined || start === undefined || now === start
}

/** There is a process of this number. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}
