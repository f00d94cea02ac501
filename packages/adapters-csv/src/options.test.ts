import { configurationOptions, parseConfig } from '@engine/core/server'
import { expect, test } from 'vitest'
import { connect } from './adapter.ts'

const adapters = { '@engine/adapters-csv': connect }
const parse = (options: object) =>
  parseConfig({ connections: { files: { directory: 'files', ...options } } }, adapters)

test('a directory has options of its own', () => {
  const options = { tables: { orders: { key: ['id'], delimiter: ';' } }, onError: 'skip' }
  expect(parse({ ...options, readOnly: true }).connections.get('files')).toMatchObject({
    kind: 'csv',
    url: 'files',
    readOnly: true,
    adapterOptions: options,
  })
  expect(configurationOptions(adapters)).toContain('connections.<name>.tables.<name>.delimiter')
})

test.each([
  [{ writeable: true }, /connections\.files\.writeable: unknown key; did you mean "writable"/],
  [{ schema: 'public' }, /connections\.files\.schema: unknown key/],
  [{ onError: 'ignore' }, /connections\.files\.onError: /],
  [
    { tables: { orders: { delimiter: '"' } } },
    /connections\.files\.tables\.orders\.delimiter: has neither quotes nor line ends/,
  ],
  [
    { tables: { orders: { headers: true } } },
    /connections\.files\.tables\.orders\.headers: unknown key; did you mean "header"/,
  ],
  [{ tables: { include: ['orders'] } }, /connections\.files\.tables\.include: expected object/],
])('%j is refused', (options, fault) => {
  expect(() => parse(options)).toThrow(fault)
})
