import { describe, expect, test } from 'vitest'
import { shiftTimestamp, timestampText } from '../../../runtime/execute/request-time.ts'
import { oids } from '../../sql-types/oids.ts'
import { bindShop } from '../test-support/bind-shop-for-test.ts'

/** 31 March 2024, 10:30:00.25 UTC. */
const now = Date.UTC(2024, 2, 31, 10, 30, 0, 250)

/** The only output of a query: the text that the database receives, or the expression if it was not folded. */
function moment(sql: string): string {
  const { body } = bindShop(`select ${sql}`)
  const output = body.kind === 'select' ? body.outputs[0] : undefined
  if (output?.kind !== 'requestTime') return output?.kind ?? 'nothing'
  return timestampText(shiftTimestamp(now, output.calendar) + output.offsetMs, output.type.oid)
}

describe('arithmetic on the moment of the request is done beforehand', () => {
  test.each([
    ['now()', '2024-03-31 10:30:00.25+00'],
    ["now() - interval '7 days'", '2024-03-24 10:30:00.25+00'],
    ["now() - '7 days'::interval", '2024-03-24 10:30:00.25+00'],
    ["interval '1 hour' + now()", '2024-03-31 11:30:00.25+00'],
    ["now() - interval '1 month'", '2024-02-29 10:30:00.25+00'],
    ["now() - interval '1 mon 1 day 1 second'", '2024-02-28 10:29:59.25+00'],
    ["now() + interval '-1 year' - interval '1 day'", '2023-03-30 10:30:00.25+00'],
    ["now() - interval '1 day' - interval '12:00'", '2024-03-29 22:30:00.25+00'],
    ["now()::timestamp - interval '1 day'", '2024-03-30 10:30:00.25'],
    ["localtimestamp - interval '1 day'", '2024-03-30 10:30:00.25'],
    ['current_date - 7', '2024-03-24'],
    ['7 + current_date', '2024-04-07'],
    ["current_date - interval '1 day'", '2024-03-30 00:00:00'],
    ["current_date - interval '1 month'", '2024-02-29 00:00:00'],
    ["current_date - 1 - interval '12 hours'", '2024-03-29 12:00:00'],
    ["now() - interval '0.5 milliseconds'", 'operator'],
    ["now() - interval '1 day' - interval '1 month'", 'operator'],
    ["now() - interval '1 month' - interval '1 month'", 'operator'],
    ["now() - interval '20000 years'", 'operator'],
    ["current_timestamp(0) - interval '1 day'", 'operator'],
    ['now() - now()', 'operator'],
    ['now() - $1::interval', 'operator'],
    ["current_time - interval '1 hour'", 'operator'],
  ])('%s', (sql, expected) => expect(moment(sql)).toBe(expected))
})

test('a timestamp is compared with the moment as a timestamp', () => {
  const { body } = bindShop("select 1 from orders where placed_at > now() - interval '7 days'")
  const where = body.kind === 'select' ? body.where : undefined
  expect(where).toMatchObject({
    kind: 'operator',
    operator: { isLeakproof: true },
    right: { kind: 'requestTime', type: { oid: oids.timestamp } },
  })
})

test('months end where they end', () => {
  const text = (momentMs: number, months: number) =>
    timestampText(shiftTimestamp(momentMs, { startOfDay: false, months }), oids.timestamp)
  expect(text(now, 11)).toBe('2025-02-28 10:30:00.25')
  expect(text(now, -13)).toBe('2023-02-28 10:30:00.25')
  expect(text(now, 1)).toBe('2024-04-30 10:30:00.25')
  expect(text(Date.UTC(2024, 1, 29), 12)).toBe('2025-02-28 00:00:00')
  expect(text(Date.UTC(2024, 1, 29), -48)).toBe('2020-02-29 00:00:00')
})
