import { expect, test } from 'vitest'
import { reasonOf } from './reason-of.ts'

const url = 'postgres://shop:pa55word@db.test/shop'

test('is what the innermost error says', () => {
  const cause = new Error('connect ECONNREFUSED 127.0.0.1:5432')
  const error = new Error('The database cannot be reached.', {
    cause: new Error('pool', { cause }),
  })
  expect(reasonOf(error, url)).toBe('connect ECONNREFUSED 127.0.0.1:5432')
})

test('of several addresses that were tried, the first one', () => {
  const refused = Object.assign(new Error(''), { code: 'ECONNREFUSED' })
  expect(reasonOf(new AggregateError([refused, new Error('other')]), url)).toBe('ECONNREFUSED')
})

test('is one line without secrets', () => {
  const error = new Error(`cannot\n  connect to ${url} with pa55word`)
  expect(reasonOf(error, url)).toBe(
    'cannot connect to postgres://shop:[redacted]@db.test/shop with [redacted]',
  )
})

test('of an error that is its own cause is told too', () => {
  const error = new Error('a circle')
  error.cause = error
  expect(reasonOf(error, url)).toBe('a circle')
})
