import { expect, test } from 'vitest'
import { readTask } from './arguments.ts'

test.each<[readonly string[], string]>([
  [[], 'Say where the engine is: --url'],
  [['--url', 'localhost:3000', '--stdout'], '--url expects an address'],
  [['--url', 'ftp://x', '--stdout'], '--url expects an address'],
  [['--url', 'http://u:p@x', '--stdout'], '--url must not hold a password'],
  [['--url', 'http://x'], 'Say where to write'],
  [['--url', 'http://x', '--out', 'a', '--stdout'], 'exclude each other'],
  [['--url', 'http://x', '--stdout', '--check'], '--check needs --out'],
  [['--url', 'http://x', '--out', 'a', '--check', '--watch'], 'exclude each other'],
  [['--url', 'http://x', '--stdout', '--format', 'json'], '--format is one of types, drizzle'],
  [['--url', 'http://x', '--stdout', '--bigint', 'x'], '--bigint is bigint or number'],
  [['--url', 'http://x', '--stdout', '--drizzle-version', '2'], '--drizzle-version is 0 or 1'],
  [['--url', 'http://x', '--out', 'a', '--watch', '--interval', 'soon'], '--interval is a number'],
  [['--url', 'http://x', '--stdot'], "Unknown option '--stdot'"],
  [['--url', 'http://x', 'file.ts', '--stdout'], "Unexpected argument 'file.ts'"],
])('%j is wrong', (words, message) => {
  const read = readTask(words, undefined)
  expect(read).toEqual({ kind: 'wrong', message: expect.stringContaining(message) })
})

function taskOf(...words: readonly string[]) {
  const read = readTask(['--stdout', ...words], 'from the environment')
  if (read.kind === 'wrong') throw new Error(read.message)
  return read.task
}

test.each([
  ['http://127.0.0.1:3000', 'http://127.0.0.1:3000/schema'],
  ['http://127.0.0.1:3000/', 'http://127.0.0.1:3000/schema'],
  ['https://example.com/api/', 'https://example.com/api/schema'],
  ['https://example.com/api/schema?x=1#y', 'https://example.com/api/schema'],
])('%s is asked at %s', (url, asked) => {
  expect(taskOf('--url', url).url.href).toBe(asked)
})

test('what is not said has a default', () => {
  expect(taskOf('--url', 'http://x')).toEqual({
    url: new URL('http://x/schema'),
    token: 'from the environment',
    generate: { format: 'types', drizzleVersion: 0, bigint: 'bigint', dates: 'date' },
    out: undefined,
    mode: 'once',
    intervalMs: 2_000,
    allowIncomplete: false,
  })
})

test('what is said holds', () => {
  const words = '--token t --format drizzle --drizzle-version 1 --bigint number --dates string'
  const more = '--connection a --connection b --allow-incomplete'
  expect(taskOf('--url', 'http://x', ...words.split(' '), ...more.split(' '))).toMatchObject({
    token: 't',
    generate: {
      format: 'drizzle',
      drizzleVersion: 1,
      bigint: 'number',
      dates: 'string',
      connections: ['a', 'b'],
    },
    allowIncomplete: true,
  })
})
