import { expect, test } from 'vitest'
import { shiftTimestamp, timestampText } from '../../../runtime/execute/request-time.ts'
import { bindShop, shopFailure } from '../test-support/bind-shop-for-test.ts'

/** 31 March 2024, 10:30:00.25 UTC. */
const now = Date.UTC(2024, 2, 31, 10, 30, 0, 250)

/** The only output of a query as the text that the database receives. */
function moment(sql: string): string {
  const { body } = bindShop(`select ${sql}`)
  const output = body.kind === 'select' ? body.outputs[0] : undefined
  if (output?.kind !== 'requestTime') return output?.kind ?? 'nothing'
  return timestampText(shiftTimestamp(now, output.calendar) + output.offsetMs, output.type.oid)
}

test.each([
  ["'now'::timestamptz", '2024-03-31 10:30:00.25+00'],
  ["timestamp ' NOW '", '2024-03-31 10:30:00.25'],
  ["'now'::date", '2024-03-31'],
  ["'now'::time", '10:30:00.25'],
  ["'today'::date", '2024-03-31'],
  ["date 'tomorrow'", '2024-04-01'],
  ["'yesterday'::date", '2024-03-30'],
  ["'today'::timestamp", '2024-03-31 00:00:00'],
  ["'tomorrow'::timestamptz", '2024-04-01 00:00:00+00'],
  ["timestamp 'tomorrow 10:30:00.5'", '2024-04-01 10:30:00.5'],
  ["timestamptz 'today 10:30'", '2024-03-31 10:30:00+00'],
  ["date 'yesterday 10:30'", '2024-03-30'],
  ["timestamp '10:30 today'", '2024-03-31 10:30:00'],
  ["timestamp '10:30 PM, tomorrow'", '2024-04-01 22:30:00'],
  ["timestamp '16:00 EST yesterday'", '2024-03-30 16:00:00'],
  ["date '10:30 tomorrow'", '2024-04-01'],
  ["timestamp(0) 'now'", 'cast'],
  ["'now'::text", 'constant'],
])('%s is a moment of the request', (sql, text) => {
  expect(moment(sql)).toBe(text)
})

test('words of an array are moments', () => {
  const { body } = bindShop("select '{today,NULL,2024-01-31}'::date[]")
  const output = body.kind === 'select' ? body.outputs[0] : undefined
  expect(output).toMatchObject({
    kind: 'array',
    type: { oid: 1182 },
    elements: [
      { kind: 'requestTime', type: { oid: 1082 } },
      { kind: 'constant', value: null },
      { kind: 'constant', value: '2024-01-31' },
    ],
  })
})

test('other words are no moments', () => {
  expect(shopFailure("select 'today'::time")).toContain('22007')
  expect(shopFailure("select 'todays'::date")).toContain('22007')
  expect(shopFailure("select 'now 10:30'::timestamp")).toContain('22007')
  expect(shopFailure("select 'today 2024-01-01'::date")).toContain('22007')
  expect(shopFailure("select 'today 10:30 EST'::timestamptz")).toContain('22007')
})
