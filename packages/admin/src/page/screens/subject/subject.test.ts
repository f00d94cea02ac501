import { expect, test } from 'vitest'
import {
  anonymousSubject,
  parseParams,
  type Subject,
  subjectBody,
  subjectFromQuery,
  subjectQuery,
} from './subject.ts'

const described: Subject = {
  ...anonymousSubject,
  kind: 'described',
  id: 'u&1',
  roles: ['customer', 'a=b'],
  fields: '{"customer_id":7}',
}

test('an address keeps the subject and the statement', () => {
  const query = subjectQuery(described, 'select 1 -- &', '[1]')
  expect(subjectFromQuery(query)).toEqual({
    subject: described,
    sql: 'select 1 -- &',
    params: '[1]',
  })
})

test('a token and full rights never get into an address, nor out of one', () => {
  const token: Subject = { ...anonymousSubject, kind: 'token', token: 'secret' }
  expect(subjectQuery(token, 'select 1')).toBe('sql=select+1')
  expect(subjectQuery({ ...anonymousSubject, kind: 'admin' }, '')).toBe('')
  expect(subjectFromQuery('as=admin&token=x').subject).toEqual(anonymousSubject)
})

test('the body has the form of the API', () => {
  expect(subjectBody(described)).toEqual({
    as: { id: 'u&1', roles: ['customer', 'a=b'], fields: { customer_id: 7 } },
  })
  expect(subjectBody(anonymousSubject)).toEqual({ as: 'anonymous' })
})

test.each(['[1', '7', 'null'])('%s are no fields', (fields) => {
  expect(() => subjectBody({ ...described, fields })).toThrow('JSON object')
})

test('parameters are a list', () => {
  expect(parseParams(' ')).toEqual([])
  expect(parseParams('[1, "a"]')).toEqual([1, 'a'])
  expect(() => parseParams('{}')).toThrow('JSON list')
})
