import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'

// Starts a server: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 60_000 })

const program = join(import.meta.dirname, '..', 'src', 'index.ts')

test('money moves whole or not at all', async () => {
  const words = ['--conditions=@engine/source', program]
  const { stdout } = await promisify(execFile)(process.execPath, words)
  expect(stdout.trim().split('\n')).toEqual([
    'Ada pays 30: paid, 70 left',
    'Ada pays 500: CONFLICT: Not enough money.',
    'Ada pays nobody 10: NOT_FOUND: There is no such account.',
    'Bob pays with the account of Ada: CONFLICT: Not enough money.',
    'Ada has 70, Bob has 130',
    'Ten payments of 10 at once: 7 are paid',
    'Ada has 0, Bob has 200',
  ])
})
