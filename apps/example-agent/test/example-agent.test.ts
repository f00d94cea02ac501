import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'

// Starts a server: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 60_000 })

const program = join(import.meta.dirname, '..', 'src', 'index.ts')

test('the key reads what its role may read, and nothing after it was revoked', async () => {
  const words = ['--conditions=@engine/source', program]
  const { stdout } = await promisify(execFile)(process.execPath, words)
  expect(stdout.trim().split('\n')).toEqual([
    'select name, price from main.products order by price desc',
    '  [["Coffee","7.90"],["Tea","4.50"]]',
    'select country, count(*) from main.customers group by country order by country',
    '  [["NO","2"]]',
    'select email from main.customers',
    expect.stringMatching(/^ {2}(?:BAD_REQUEST|PERMISSION_DENIED)$/),
    "update main.products set price = '0.01'",
    '  PERMISSION_DENIED',
    'drop table main.products',
    '  BAD_REQUEST',
    'After the key was revoked',
    '  UNAUTHORIZED',
  ])
})
