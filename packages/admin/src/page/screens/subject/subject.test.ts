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

test.each([
  { user: 'u1' },
  { user: 'https://login.test/|7', claims: { sub: '7', tenant: 2 } },
  { apiKey: 'abc' },
])('%j stays in an address', (as) => {
  const query = subjectQuery(
    { ...anonymousSubject, kind: 'caller', caller: { as, label: 'x' } },
    '',
  )
  expect(subjectBody(subjectFromQuery(query).subject)).toEqual({ as })
})

test('the caller of an audit entry stays in an address', () => {
  const entry: Subject = { ...anonymousSubject, kind: 'entry', entry: 'e1' }
  expect(subjectFromQuery(subjectQuery(entry, '')).subject).toEqual(entry)
  expect(subjectBody(entry)).toEqual({ as: { entry: 'e1' } })
})

test.each(['"admin"', '{"roles":["boss"]}', '[]', 'x', '', '{"user":7}', 'null'])(
  'an address with the caller %s asks as nobody',
  (caller) => {
    const query = new URLSearchParams({ as: 'caller', caller }).toString()
    expect(subjectFromQuery(query).subject).toEqual(anonymousSubject)
  },
)

test('a caller must be chosen', () => {
  expect(() => subjectBody({ ...anonymousSubject, kind: 'caller' })).toThrow('Choose')
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
