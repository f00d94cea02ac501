import { expect, test } from 'vitest'
import { anonymousSubject } from '../subject/subject.ts'
import { addressOf, firstView, viewOf } from './view.ts'

test('an address keeps filters, order and page, whatever names contain', () => {
  const view = {
    filters: [{ column: 'a&"b', operator: 'one of', value: '1, 2' }],
    sort: { column: '%41', isDown: true },
    page: 3,
  } as const
  const address = addressOf('main', 'a/b?', view, { ...anonymousSubject, kind: 'admin' })
  expect(address).toMatch(/^\/data\/main\/a%2Fb%3F\?/)
  expect(address).not.toContain('admin')
  expect(viewOf(address.split('?')[1] ?? '')).toEqual(view)
})

test.each(['', 'f=x&sort=%7B%7D&page=-1', 'f=[]&sort=[1]&page=x', 'page=0'])(
  'an address without sense is the first page: %s',
  (search) => {
    expect(viewOf(search)).toEqual(firstView)
  },
)
