import { silentLog } from '@engine/core'
import type { AuthSettings } from '@engine/core/server'
import { describe, expect, test } from 'vitest'
import { passwordOf } from './password.ts'
import { createPasswordPolicy } from './password-policy.ts'

type Options = Pick<AuthSettings, 'password' | 'email'>

function policy(password: Partial<AuthSettings['password']> = {}) {
  const settings: Options = {
    password: {
      minLength: 8,
      memoryKib: 19_456,
      iterations: 2,
      pepper: undefined,
      isBreached: undefined,
      ...password,
    },
    email: { productName: 'Wonderful Shop' },
  }
  return createPasswordPolicy(settings, silentLog)
}

const owner = { email: 'margarethe@example.com', name: 'Margarethe Müller' }

test('code points count, as they are hashed', () => {
  const { checkLength } = policy()
  expect(() => checkLength(passwordOf('👩👩👩👩👩👩👩'), 'password')).toThrow('at least 8')
  expect(() => checkLength(passwordOf('👩👩👩👩👩👩👩👩'), 'password')).not.toThrow()
  // After composition these are seven.
  expect(() => checkLength(passwordOf('abcdefo\u0308'), 'password')).toThrow('at least 8')
})

describe('is refused', () => {
  test.each([
    ['password'],
    ['PassWord'],
    ['12345678'],
    ['ｐａｓｓｗｏｒｄ'],
    ['margarethe'],
    ['Margarethe@Example.com'],
    ['margarethe müller'],
    ['WONDERFUL SHOP'],
  ])('%s', async (text) => {
    const check = policy().check(passwordOf(text), 'password', owner)
    await expect(check).rejects.toMatchObject({ code: 'VALIDATION_ERROR', status: 400 })
  })
})

test.each([
  'correct horse battery staple',
  '        x',
  'ein ganz langer Satz',
  '\0\0\0\0\0\0\0\0',
])('%j is accepted', async (text) => {
  await expect(policy().check(passwordOf(text), 'password', owner)).resolves.toBeUndefined()
})

test('a breach elsewhere is a reason; that it cannot be found out is none', async () => {
  const known = policy({ isBreached: async (text) => text === 'leaked before' })
  await expect(known.check(passwordOf('leaked before'), 'password', owner)).rejects.toThrow(
    'breach',
  )
  await expect(
    known.check(passwordOf('not leaked yet'), 'password', owner),
  ).resolves.toBeUndefined()
  const broken = policy({ isBreached: () => Promise.reject(new Error('no network')) })
  await expect(
    broken.check(passwordOf('leaked before'), 'password', owner),
  ).resolves.toBeUndefined()
})
