/** @module Signals for a process and all its descendants. */
import { readdirSync, readFileSync } from 'node:fs'

/** Sends a signal to a process and all its descendants; servers put their children into groups of their own. */
export function signalTree(pid: number, signal: NodeJS.Signals): void {
  for (const each of treeOf(pid)) {
    try {
      process.kill(each, signal)
    } catch (error) {
      // A process that has ended since the check needs no signal.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error
    }
  }
}

/** Processes stop within milliseconds, even on a busy machine. */
const patienceMs = 10_000

/**
 * Stops a process and all its descendants; resolves when none of their threads runs: a signal takes effect only later.
 *
 * @throws {Error} when one still runs.
 */
export function freezeTree(pid: number): void {
  signalTree(pid, 'SIGSTOP')
  const endMs = performance.now() + patienceMs
  while (treeOf(pid).some(isRunning)) {
    if (performance.now() > endMs) throw new Error(`process ${pid} does not stop`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
  }
}

/** Returns whether it has a thread that is neither stopped nor ended. */
function isRunning(pid: number): boolean {
  return threadsOf(pid).some((thread) => {
    const state = /^.*\) (\w)/s.exec(readProc(`${pid}/task/${thread}/stat`) ?? '')?.[1]
    return state !== undefined && !'TtZX'.includes(state)
  })
}

function threadsOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    // The process has ended.
    return []
  }
}

function treeOf(pid: number): readonly number[] {
  const parents = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    // `123 (a name) S 45 …`: the name may contain any character, the last parenthesis ends it.
    const parent = /^.*\) \w (\d+)/s.exec(readProc(`${name}/stat`) ?? '')?.[1]
    if (parent === undefined) continue
    const siblings = parents.get(Number(parent)) ?? []
    parents.set(Number(parent), [...siblings, Number(name)])
  }
  const below = (each: number): readonly number[] => [
    each,
    ...(parents.get(each) ?? []).flatMap(below),
  ]
  return below(pid)
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(`/proc/${path}`, 'utf8')
  } catch {
    // The process has ended.
    return undefined
  }
}
