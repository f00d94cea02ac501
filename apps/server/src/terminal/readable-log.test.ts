import { expect, test } from 'vitest'
import { readableEntry, readableLog } from './readable-log.ts'

const plain = (_: string, text: string) => text
const time = new Date(2026, 10, 23, 9, 5, 7).getTime()
const entry = (facts: object, level = 40) =>
  readableEntry(JSON.stringify({ level, time, pid: 1, hostname: 'host', ...facts }), plain)

test('an entry is its time, its level, its message and its facts', () => {
  expect(entry({ connection: 'main', n: 3, list: [1], msg: 'hello' })).toBe(
    '09:05:07 warning hello connection=main n=3 list=[1]\n',
  )
  expect(entry({ signal: 'two words', msg: 'stopping' }, 30)).toBe(
    '09:05:07 info stopping signal="two words"\n',
  )
})

test('facts that the message has are not repeated', () => {
  expect(entry({ cause: 'no such host', msg: 'database cannot be reached: no such host' })).toBe(
    '09:05:07 warning database cannot be reached: no such host\n',
  )
})

const err = {
  type: 'GatewayError',
  message: 'The database cannot be reached.',
  stack: 'GatewayError: x\n    at outer (a.ts:1)',
  cause: {
    type: 'Error',
    message: 'connect ECONNREFUSED 127.0.0.1:1',
    stack: 'Error: y\n    at inner (b.ts:2)\n    at again (b.ts:3)',
  },
}

test('an error is its messages; at the level of errors also where it was thrown', () => {
  const words = 'failed: The database cannot be reached.: connect ECONNREFUSED 127.0.0.1:1'
  expect(entry({ err, msg: 'failed' })).toBe(`09:05:07 warning ${words}\n`)
  expect(entry({ err, msg: 'failed' }, 50)).toBe(
    `09:05:07 error ${words}\n    at inner (b.ts:2)\n    at again (b.ts:3)\n`,
  )
})

test('characters that a terminal obeys are not written', () => {
  const hostile = 'a\u001b[31m red\u001b]0;title\u0007\r\nforged line\u009b2J\u202e'
  const written = entry({ msg: hostile, sql: hostile, [hostile]: 1, err: { message: hostile } })
  expect(written.slice(0, -1)).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(written).toMatch(/^09:05:07 warning a.*forged line.*\n$/)
})

test('a line that is no JSON is written as it is', () => {
  expect(readableEntry('trouble\u001b[2J\n', plain)).toBe('trouble\n')
})

test('a log writes each entry at once', () => {
  const written: string[] = []
  const output = { write: (text: string) => written.push(text) > 0 }
  readableLog(output, plain).write(JSON.stringify({ level: 50, time, msg: 'x' }))
  expect(written).toEqual(['09:05:07 error x\n'])
})
