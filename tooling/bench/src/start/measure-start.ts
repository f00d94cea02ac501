/** @module How long the program takes until it is ready, and the memory that it then has. `pnpm bench start` */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { bundleStale, publishedPackages } from '@engine/bundle'
import { type DatabaseKind, openDatabase } from '../load/databases.ts'
import { setupOf } from '../load/setups.ts'
import { printSizes } from './print-sizes.ts'

const main = join(import.meta.dirname, '../../../../apps/server/dist/main.js')
const starts = 10

/** When the collector has finished with what the start has left. */
const idleMs = 5_000

interface Start {
  readonly readyMs: number
  readonly cpuMs: number
  readonly residentMegabytes: number
}

export async function measureStart(): Promise<void> {
  console.log(`\nStart of engine-server, all parts on, median of ${starts} with warm caches`)
  await bundleStale(publishedPackages())
  for (const kind of ['postgres', 'sqlite'] as const) await measureOn(kind)
  await printSizes()
}

async function measureOn(kind: DatabaseKind): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-bench-'))
  const database = await openDatabase(kind)
  try {
    const path = join(folder, 'engine.config.json')
    writeFileSync(
      path,
      JSON.stringify({ ...setupOf(database, 'all').config, log: { level: 'warn' }, port: 0 }),
    )
    // The first start makes the tables of the service database, and fills the cache of compiled code.
    await startOnce(folder, path, 0)
    const found: Start[] = []
    while (found.length < starts) found.push(await startOnce(folder, path, idleMs))
    const ready = median(found.map(({ readyMs }) => readyMs)).toFixed(0)
    const cpu = median(found.map(({ cpuMs }) => cpuMs)).toFixed(0)
    const resident = median(found.map(({ residentMegabytes }) => residentMegabytes)).toFixed(0)
    console.log(
      `  ${database.title.padEnd(11)} ready after ${ready} ms (${cpu} ms of CPU time), idle at ${resident} MB`,
    )
  } finally {
    await database.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function startOnce(cwd: string, config: string, waitMs: number): Promise<Start> {
  const began = performance.now()
  const child = spawn(process.execPath, [main, '--config', config], {
    cwd,
    env: { ...process.env, NODE_ENV: 'production', XDG_CACHE_HOME: cwd },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    await firstLine(child)
    const readyMs = performance.now() - began
    const cpuMs = cpuMsOf(child)
    await sleep(waitMs)
    return { readyMs, cpuMs, residentMegabytes: residentMegabytesOf(child) }
  } finally {
    child.kill('SIGTERM')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
}

async function firstLine({ stdout }: ChildProcess): Promise<void> {
  if (stdout === null) throw new Error('the server has no standard output')
  for await (const _ of createInterface(stdout)) return
  throw new Error('the server ended before it was ready')
}

/** User and system time of all threads, from Linux's table of processes: in hundredths of a second. */
function cpuMsOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function residentMegabytesOf({ pid }: ChildProcess): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] ?? Number.NaN
}
