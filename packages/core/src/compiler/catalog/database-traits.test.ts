import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { knownTraits } from './database-traits.ts'

test('an adapter that says nothing is taken with care', () => {
  expect(knownTraits(undefined)).toEqual({
    carriesConditionsAcrossJoins: true,
    streamsRecursion: false,
    transactionsAtATime: 'pooled',
    planFormats: ['text'],
    sessionSettings: false,
    rowValues: false,
    arrayBounds: false,
    numericExponents: false,
    tableSamples: false,
    variadicCalls: false,
    sleeps: false,
  })
})

test('what it says goes before', () => {
  expect(knownTraits({ streamsRecursion: true })).toMatchObject({
    carriesConditionsAcrossJoins: true,
    streamsRecursion: true,
  })
})

test('nothing asks for the name of a database', () => {
  const root = join(import.meta.dirname, '..', '..')
  const asking = globSync('**/*.ts', { cwd: root })
    .filter((path) => !/\.test\.ts$|test-support/.test(path))
    .filter((path) =>
      /\b(?:connection|adapter)\.kind\s*[!=]==/i.test(readFileSync(join(root, path), 'utf8')),
    )
  expect(asking).toEqual([])
})
