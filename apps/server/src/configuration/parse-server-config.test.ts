import { expect, test } from 'vitest'
import type { ConfigFile } from './define-config.ts'
import { parseServerConfig } from './parse-server-config.ts'

const connections = { main: 'shop.db' }

test("the server's own options are parted from the engine's", () => {
  expect(parseServerConfig({ connections, port: 0, host: '::1' })).toEqual({
    config: { connections },
    port: 0,
    host: '::1',
    stopDelayMs: 0,
    workers: 1,
  })
  expect(parseServerConfig({ connections })).toMatchObject({ port: 3_001, host: '127.0.0.1' })
})

test('PORT of the environment goes before the port of the file', () => {
  const file = { connections, port: 4_000 }
  expect(parseServerConfig(file, { PORT: '5000' })).toMatchObject({ port: 5_000 })
  expect(parseServerConfig(file, { PORT: '' })).toMatchObject({ port: 4_000 })
  expect(() => parseServerConfig(file, { PORT: 'tcp://10.0.0.1:80' })).toThrow(
    'the environment variable PORT: expects a whole number, 0 to 65535',
  )
})

test('faults of both are named at once', () => {
  const file = { connections: {}, port: 70_000, host: '', limits: { maxRow: 1 } } as ConfigFile
  expect(() => parseServerConfig(file)).toThrow(
    expect.objectContaining({
      problem: 'invalidConfiguration',
      message: expect.stringMatching(/ port: .* host: .* connections: .* limits\.maxRow: /s),
    }),
  )
})

test('how long requests are taken while the server stops', () => {
  expect(parseServerConfig({ connections, stopDelay: 5_000 })).toMatchObject({ stopDelayMs: 5_000 })
  for (const stopDelay of [-1, 1.5, 60_001, '5s'] as number[]) {
    expect(() => parseServerConfig({ connections, stopDelay })).toThrow(/ {2}stopDelay: expects/)
  }
})

test('a port may be a text of digits, as variables in JSON are', () => {
  const file = { connections, port: '3001' } as unknown as ConfigFile
  expect(parseServerConfig(file)).toMatchObject({ port: 3_001 })
})

test.each([-1, 1.5, '', ' 3001', '3001x', '70000', null, Number.NaN])('%j is no port', (port) => {
  const file = { connections, port } as unknown as ConfigFile
  expect(() => parseServerConfig(file)).toThrow(/ {2}port: expects/)
})
