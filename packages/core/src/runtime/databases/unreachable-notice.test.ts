import { expect, test } from 'vitest'
import { GatewayError } from '../../foundation/errors.ts'
import { silentLog } from '../../foundation/log.ts'
import { createUnreachableNotice } from './unreachable-notice.ts'

test('one line with the cause, then one a minute', () => {
  const lines: unknown[] = []
  const log = { ...silentLog, warn: (facts: object, line: string) => lines.push([line, facts]) }
  let nowMs = 5_000
  const notice = createUnreachableNotice('database', { connection: 'main' }, log, () => nowMs)
  const cause = new Error('password authentication failed for user "app"')
  const error = new GatewayError('unavailable', 'The database cannot be reached.', { cause })
  for (let second = 0; second < 120; second += 1) {
    notice(error)
    nowMs += 1_000
  }
  const line = 'database cannot be reached: password authentication failed for user "app"'
  expect(lines).toEqual(Array(2).fill([line, { connection: 'main', cause: cause.message }]))
})
