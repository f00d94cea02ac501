import { expect, test } from 'vitest'
import { fitsRelease, requireRelease } from './release.ts'

test.each([
  ['0.2.0', '0.2.0'],
  ['0.2.1', '0.2.0'],
  ['1.4.0', '1.3.9'],
  ['1.3.10', '1.3.9'],
  ['1.0.0-next.1', '1.0.0-next.1'],
])('core %s fits a package of %s', (core, version) => {
  expect(fitsRelease(core, version)).toBe(true)
})

test.each([
  ['0.2.0', '0.2.1'],
  ['0.3.0', '0.2.0'],
  ['0.2.0', '0.3.0'],
  ['0.0.2', '0.0.1'],
  ['1.3.9', '1.4.0'],
  ['2.0.0', '1.9.9'],
  ['1.0.0-next.1', '1.0.0-next.2'],
  ['1.0.0-next.1', '0.9.0'],
])('core %s does not fit a package of %s', (core, version) => {
  expect(fitsRelease(core, version)).toBe(false)
})

test('a package of another release is refused, with the command that mends it', () => {
  expect(() => requireRelease('@engine/adapters-sqlite', '99.0.0')).toThrow(
    /^@engine\/adapters-sqlite 99\.0\.0 does not work with @engine\/core .*npm install @engine\/core@latest @engine\/adapters-sqlite@latest$/,
  )
})
