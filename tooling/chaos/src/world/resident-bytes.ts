import { readFileSync } from 'node:fs'

/** Bytes of resident memory of a process; undefined when it has ended. */
export function residentBytes(pid: number): number | undefined {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(`${pid}/status`) ?? '')
  return line === null ? undefined : Number(line[1]) * 1024
}

function readProc(path: string): string | undefined {
  try {
    return readFileSync(`/proc/${path}`, 'utf8')
  } catch {
    // The process has ended.
    return undefined
  }
}
