import { parseConfig } from '@engine/core/server'
import { expect, test } from 'vitest'
import { checkWorkers } from './check-workers.ts'

const settings = parseConfig({
  connections: { main: { url: 'postgres://127.0.0.1/shop', pool: { max: 30 } }, file: 'shop.db' },
  pgWire: true,
})

test('one process needs no check', () => expect(checkWorkers(1, settings, 1)).toEqual([]))

test('more workers than processors, and more connections than usual, are warned of', () => {
  expect(checkWorkers(2, settings, 2).map(({ level }) => level)).toEqual(['ok', 'ok'])
  expect(checkWorkers(4, settings, 2)).toEqual([
    expect.objectContaining({ level: 'warning', about: 'workers' }),
    expect.objectContaining({ level: 'warning', about: 'connections.main.pool.max' }),
    expect.objectContaining({ level: 'ok', about: 'pgWire.maxConnections' }),
  ])
})
