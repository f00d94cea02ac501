import { configurationOptions, parseConfig } from '@engine/core/server'
import { expect, test } from 'vitest'
import { connect } from './adapter.ts'

const adapters = { '@engine/adapters-sqlite': connect }
const parse = (main: object) => parseConfig({ connections: { main } }, adapters)

test('a file may be created and written in another way', () => {
  const options = { create: true, synchronous: 'normal' }
  const settings = parse({ url: 'shop.db', ...options })
  expect(settings.connections.get('main')).toMatchObject({ adapterOptions: options })
  expect(configurationOptions(adapters)).toEqual(
    expect.arrayContaining(['connections.<name>.create', 'connections.<name>.synchronous']),
  )
})

test.each([
  [{ create: 'yes' }, /connections\.main\.create: expected boolean/],
  [{ synchronous: 'off' }, /connections\.main\.synchronous: /],
  [
    { synchronus: 'full' },
    /connections\.main\.synchronus: unknown key; did you mean "synchronous"/,
  ],
])('%j is refused', (options, fault) => {
  expect(() => parse({ url: 'shop.db', ...options })).toThrow(fault)
})
