import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { makeDirectory } from './open-directory.ts'

/** Runs the writer for a while, kills it, and returns the row that it acknowledged last. */
async function writeAndDie(path: string, last: number, lifeMs: number): Promise<number> {
  const child = fork(new URL('./write-forever.ts', import.meta.url), [path, `${last}`], {
    execArgv: ['--conditions=@engine/source'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  let acknowledged = last
  child.on('message', (id) => {
    acknowledged = Number(id)
  })
  await Promise.race([once(child, 'message'), once(child, 'exit')])
  await delay(lifeMs)
  child.kill('SIGKILL')
  await once(child, 'exit')
  return acknowledged
}

/** Time limit of each run: it begins with the start of a process. In milliseconds. */
const timeout = 180_000

test('a writer that is killed leaves a whole file with every row that it acknowledged', {
  timeout,
}, async () => {
  const filler = Array.from({ length: 2_000 }, (_, index) => `${-index - 1},filler ${index}`)
  const path = makeDirectory({ 't.csv': `id,note\n${filler.join('\n')}\n` })
  let last = 0

  for (const lifeMs of [20, 90, 170]) {
    last = await writeAndDie(path, last, lifeMs)

    const lines = readFileSync(join(path, 't.csv'), 'utf8').split('\n')
    expect(lines.at(-1)).toBe('')
    const rows = lines.slice(1 + filler.length, -1)
    // One more row may be in the file without having been acknowledged.
    expect(rows.length).toBeGreaterThanOrEqual(last)
    expect(rows).toEqual(rows.map((_, index) => `${index + 1},note ${index + 1}`))
    last = rows.length
  }

  // At least one in each run.
  expect(last).toBeGreaterThanOrEqual(3)
  expect(readdirSync(path).filter((name) => name.endsWith('.csv'))).toEqual(['t.csv'])
})
