import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boxSecrets, createSecretBox } from './secret-box.ts'

const secret = 'a secret of at least thirty-two bytes'
const other = 'another secret of at least thirty-two'

test('what is sealed can be opened, and looks different each time', () => {
  const box = createSecretBox([secret], 'mail')
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const sealed = box.seal(text)
      expect(box.open(sealed)).toBe(text)
      expect(box.seal(text)).not.toBe(sealed)
    }),
  )
})

test('another secret and another purpose open nothing', () => {
  const sealed = createSecretBox([secret], 'mail').seal('smtp password')
  expect(createSecretBox([other], 'mail').open(sealed)).toBeUndefined()
  expect(createSecretBox([secret], 'keys').open(sealed)).toBeUndefined()
})

test('a replaced secret opens what it sealed, as long as it is listed', () => {
  const sealed = createSecretBox([secret], 'mail').seal('smtp password')
  const rotated = createSecretBox([other, secret], 'mail')
  expect(rotated.open(sealed)).toBe('smtp password')
  expect(createSecretBox([secret], 'mail').open(rotated.seal('new'))).toBeUndefined()
})

test('whatever is changed in it, it does not open', () => {
  const box = createSecretBox([secret], 'mail')
  const sealed = box.seal('smtp password')
  const body = sealed.lastIndexOf('.') + 1
  const bytes = Buffer.from(sealed.slice(body), 'base64url')
  for (let i = 0; i < bytes.length; i += 1) {
    const changed = Buffer.from(bytes)
    changed[i] = (changed[i] ?? 0) ^ 1
    expect(box.open(sealed.slice(0, body) + changed.toString('base64url'))).toBeUndefined()
  }
  for (const broken of [
    '',
    'v1',
    'v1..',
    `v2${sealed.slice(2)}`,
    `${sealed}.x`,
    sealed.slice(0, 30),
  ])
    expect(box.open(broken)).toBeUndefined()
})

test('the master key comes first; without any secret, one is made for this process', () => {
  expect(boxSecrets('master', ['a', 'b'])).toEqual(['master', 'a', 'b'])
  expect(boxSecrets(undefined, ['a'])).toEqual(['a'])
  expect(boxSecrets(undefined, [])).not.toEqual(boxSecrets(undefined, []))
})
