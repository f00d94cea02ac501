import { expect, test } from 'vitest'
import type { Config } from '../options/config.ts'
import { isOpenMode, requireClosed } from './open-mode.ts'
import { parseConfig } from './parse-config.ts'

const connections = { main: 'shop.db' }
const permissions = [{ table: 'main.orders', roles: ['anonymous'], select: {} }]
const provider = { authenticate: () => Promise.reject(new Error('unknown')) }

test.each<[Partial<Config>, boolean]>([
  [{}, true],
  [{ permissions: {} }, true],
  [{ permissions: [], masterKey: 'a master key of at least thirty-two bytes' }, true],
  [{ permissions }, false],
  [{ auth: {} }, false],
  [{ auth: provider as unknown as Config['auth'] & object }, false],
])('%o is open mode: %s', (config, isOpen) => {
  const settings = parseConfig({ connections, ...config })
  expect(isOpenMode(settings)).toBe(isOpen)
  expect(() => requireClosed(settings, false)).not.toThrow()
  const inProduction = () => requireClosed(settings, true)
  if (isOpen) expect(inProduction).toThrow(/production needs auth or permissions/)
  else expect(inProduction).not.toThrow()
  const meant = parseConfig({ connections, ...config, open: true })
  expect(() => requireClosed(meant, true)).not.toThrow()
})
