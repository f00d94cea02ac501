import { afterEach, expect, test, vi } from 'vitest'
import { consoleLog } from './console-log.ts'

afterEach(() => void vi.restoreAllMocks())

test('warnings and errors are lines on the console, with the cause and without secrets', () => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const error = vi.spyOn(console, 'error').mockReturnValue()
  const cause = new Error('no answer from postgres://app:pa55word@db.test/shop')
  consoleLog.warn({ connection: 'main', err: new Error('wrapped', { cause }) }, 'it is away')
  consoleLog.error({}, 'it failed')
  consoleLog.info({}, 'nothing')
  consoleLog.debug({}, 'nothing')
  expect(warn.mock.calls).toEqual([
    [
      'engine warning: it is away: no answer from postgres://app:[redacted]@db.test/shop {"connection":"main"}',
    ],
  ])
  expect(error.mock.calls).toEqual([['engine error: it failed']])
})
