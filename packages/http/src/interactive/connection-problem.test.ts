import { expect, test } from 'vitest'
import { connectionProblem } from './connection-problem.ts'

test.each([
  ['getaddrinfo ENOTFOUND db.test', 'address'],
  ['connect ECONNREFUSED 127.0.0.1:5432', 'refused'],
  ['password authentication failed for user "shop"', 'credentials'],
  ["Access denied for user 'shop'@'localhost' (using password: YES)", 'credentials'],
  ["Unknown database 'shop'", 'database'],
  ['database "shop" does not exist', 'database'],
  ['self-signed certificate in certificate chain', 'tls'],
  ['connect ETIMEDOUT 10.0.0.1:5432', 'timeout'],
  ['unable to open database file', 'file'],
  ['too many clients already', 'other'],
])('%s: %s', (message, code) => {
  const error = new Error('The database cannot be reached.', { cause: new Error(message) })
  const { hint, ...problem } = connectionProblem(error)
  expect(problem).toEqual({ code, message })
  expect(hint).toMatch(/\.$/)
})

test("a driver's code tells what its message does not", () => {
  const error = Object.assign(new Error('refused by policy'), { code: '28P01' })
  expect(connectionProblem(error)).toMatchObject({
    code: 'credentials',
    message: 'refused by policy',
  })
})

test('a password in a URL is not part of the message', () => {
  const { message } = connectionProblem(new Error('cannot reach postgres://a:pa55word@db.test/x'))
  expect(message).not.toContain('pa55word')
})
