import { expect, onTestFinished, test } from 'vitest'
import { createInterrupt, sharedWordCount } from '../src/driver/connection/interrupt.ts'
import { openConnection, type Synchronous } from '../src/driver/connection/open-connection.ts'
import { databaseLocation } from '../src/driver/location.ts'
import { createDatabase } from './open-adapter.ts'

test.each<[Synchronous, bigint]>([
  ['full', 2n],
  ['normal', 1n],
])('the writer commits with synchronous = %s', (synchronous, level) => {
  const connection = openConnection({
    location: databaseLocation(createDatabase('create table t (id integer primary key)')),
    role: 'writer',
    lockTimeoutMs: 0,
    maxRowBytes: 1_000,
    interrupt: createInterrupt(new Int32Array(sharedWordCount)),
    setup: undefined,
    synchronous,
  })
  onTestFinished(() => connection.close())

  expect(connection.database.pragma('synchronous', { simple: true })).toBe(level)
})
