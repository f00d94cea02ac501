import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { workerCount } from './worker-count.ts'

test.each([
  [1, 1],
  [256, 256],
  ['4', 4],
  ['auto', availableParallelism()],
  [0, undefined],
  [257, undefined],
  [1.5, undefined],
  ['', undefined],
  ['two', undefined],
  [true, undefined],
  [undefined, undefined],
])('workers: %j', (given, expected) => expect(workerCount(given)).toBe(expected))
