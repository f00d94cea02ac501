/** Several processes open a new file at the same time, as workers of a server do when it starts for the first time. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryPath } from './open-adapter.ts'
import type { Opening } from './open-at-once.ts'

const rounds = 60

let processes: readonly ChildProcess[]

beforeAll(async () => {
  const program = new URL('./open-at-once.ts', import.meta.url)
  processes = [1, 2, 3].map(() => fork(program, { execArgv: ['--conditions=@engine/source'] }))
  await Promise.all(processes.map((each) => once(each, 'message')))
}, 30_000)
afterAll(() => {
  for (const each of processes) each.kill('SIGKILL')
})

async function answer(process: ChildProcess, opening: Opening): Promise<unknown> {
  const answered = once(process, 'message')
  process.send(opening)
  return (await answered)[0]
}

test.each<[Opening['kind'], string]>([
  ['service', 'wal 2'],
  ['data', 'wal 1'],
])('each opens a %s database with its write-ahead log', async (kind, settings) => {
  const path = temporaryPath('new')
  const seen = new Set<unknown>()
  for (let round = 0; round < rounds; round += 1) {
    const opening = { kind, path: `${path}-${round}.db`, at: Date.now() + 10 }
    for (const each of await Promise.all(processes.map((one) => answer(one, opening)))) {
      seen.add(each)
    }
  }
  expect([...seen]).toEqual([settings])
})
