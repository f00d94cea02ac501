import { renderSql } from '@engine/core/print'
import { expect, test } from 'vitest'
import { isCheckFailure, raiseCheckFailure, raisedSqlState, raiseState } from './raise.ts'

test.each(['22003', '22012', '22P02', '0A000', '21000', '23502'] as const)(
  'what raises %s is known by the message of the server',
  (state) => {
    const { text, parameters } = renderSql(raiseState(state), { kind: 'positional' }, '`')
    expect(parameters).toEqual([])
    const message = `BIGINT value is out of range in '${text.slice(1, -1)}'`
    expect(raisedSqlState(message)).toBe(state)
    expect(raisedSqlState(`BIGINT value is out of range in '${text}'`)).toBe(state)
  },
)

test('an overflow of the server itself has no SQLSTATE of ours', () => {
  const message = `BIGINT value is out of range in '\`d\`.\`t\`.\`b\` + 9223372034707292160'`
  expect(raisedSqlState(message)).toBeUndefined()
  expect(raisedSqlState(`in '9223372036854775807 + 99999'`)).toBeUndefined()
})

test('a failed check is known by the message, and has no SQLSTATE', () => {
  const { text } = renderSql(raiseCheckFailure(), { kind: 'positional' }, '`')
  const message = `BIGINT value is out of range in '${text.slice(1, -1)}'`
  expect(isCheckFailure(message)).toBe(true)
  expect(raisedSqlState(message)).toBeUndefined()
  expect(isCheckFailure(`BIGINT value is out of range in '9223372036854775807 + 10000'`)).toBe(
    false,
  )
})
