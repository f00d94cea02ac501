import { describe, expect, test } from 'vitest'
import { readImportedUser } from './imported-user.ts'

const bcrypt = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'
const user = { email: 'Ada@example.com', passwordHash: bcrypt }

test('what is not said has its default', () => {
  expect(readImportedUser(user, false)).toEqual({
    id: undefined,
    email: { address: 'Ada@example.com', key: 'ada@example.com' },
    name: '',
    passwordHash: bcrypt,
    emailVerified: false,
    roles: undefined,
    createdAtMs: undefined,
  })
})

test('everything may be said', () => {
  const record = {
    ...user,
    id: '17',
    name: 'Ada',
    passwordHash: null,
    emailVerified: true,
    roles: ['editor'],
    createdAt: '2020-02-29T12:00:00+01:00',
  }
  expect(readImportedUser(record, false)).toMatchObject({
    id: '17',
    name: 'Ada',
    passwordHash: undefined,
    emailVerified: true,
    roles: ['editor'],
    createdAtMs: Date.UTC(2020, 1, 29, 11),
  })
})

describe('is refused, by the name of the field', () => {
  test.each([
    ['email', { email: 'nobody' }],
    ['email', { email: undefined }],
    ['passwordHash', { passwordHash: 'secret' }],
    ['passwordHash', { passwordHash: undefined }],
    ['passwordHash', { passwordHash: '5f4dcc3b5aa765d61d8327deb882cf99' }],
    ['name', { name: 'a\u0007' }],
    ['emailVerified', { emailVerified: 'true' }],
    ['roles', { roles: 'admin' }],
    ['roles', { roles: [''] }],
    ['roles', { roles: [1] }],
    ['createdAt', { createdAt: 'yesterday' }],
    ['createdAt', { createdAt: '2020-02-30' }],
    ['id', { id: '' }],
    ['password', { password: 'secret' }],
  ])('%s of %j', (field, change) => {
    expect(() => readImportedUser({ ...user, ...change }, false)).toThrow(
      expect.objectContaining({ status: 400, message: expect.stringMatching(`^${field} `) }),
    )
  })
})

test('no message repeats a hash', () => {
  expect(() => readImportedUser({ ...user, passwordHash: 'a secret text' }, false)).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('secret') }),
  )
})
