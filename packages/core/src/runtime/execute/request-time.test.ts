import { expect, test } from 'vitest'
import { oids } from '../../compiler/sql-types/oids.ts'
import { timestampText } from './request-time.ts'

const moment = Date.UTC(2024, 0, 15, 10, 30, 0, 250)

test('a moment is spelled as PostgreSQL prints it in UTC', () => {
  expect(timestampText(moment, oids.timestamptz)).toBe('2024-01-15 10:30:00.25+00')
  expect(timestampText(moment, oids.timestamp)).toBe('2024-01-15 10:30:00.25')
  expect(timestampText(moment, oids.date)).toBe('2024-01-15')
  expect(timestampText(moment, oids.time)).toBe('10:30:00.25')
})

test('a whole second has no fraction and keeps its zeros', () => {
  expect(timestampText(Date.UTC(2024, 0, 15, 10, 30, 0), oids.timestamp)).toBe(
    '2024-01-15 10:30:00',
  )
})

test('a type that is no moment is a bug', () => {
  expect(() => timestampText(moment, oids.int4)).toThrow()
})
