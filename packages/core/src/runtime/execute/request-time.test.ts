import { expect, test } from 'vitest'
import { oids } from '../../compiler/sql-types/oids.ts'
import { momentText } from './request-time.ts'

const moment = Date.UTC(2024, 0, 15, 10, 30, 0, 250)

test('a moment is spelled as PostgreSQL prints it in UTC', () => {
  expect(momentText(moment, oids.timestamptz)).toBe('2024-01-15 10:30:00.25+00')
  expect(momentText(moment, oids.timestamp)).toBe('2024-01-15 10:30:00.25')
  expect(momentText(moment, oids.date)).toBe('2024-01-15')
  expect(momentText(moment, oids.time)).toBe('10:30:00.25')
})

test('a whole second has no fraction and keeps its zeros', () => {
  expect(momentText(Date.UTC(2024, 0, 15, 10, 30, 0), oids.timestamp)).toBe('2024-01-15 10:30:00')
})

test('a type that is no moment is a bug', () => {
  expect(() => momentText(moment, oids.int4)).toThrow()
})
