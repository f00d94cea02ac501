import { expect, test } from 'vitest'
import type { GeneratedStatement } from '../grammar/statement.ts'
import type { Outcome } from '../subjects/subject.ts'
import { compareRefusals } from './compare-refusals.ts'

const stored: Outcome = { kind: 'rows', rows: [], tables: undefined }
const taken: Outcome = { kind: 'refused', status: 409, message: 'taken', sqlState: '23505' }
const checked: Outcome = { kind: 'refused', status: 422, message: 'check', sqlState: '44000' }
const raised: Outcome = { kind: 'refused', status: 422, message: 'raised', sqlState: 'P0001' }

const insert: GeneratedStatement = {
  tree: '',
  isOrdered: false,
  isWrite: true,
  writes: [{ table: 't1', operation: 'insert', columns: ['id'], conflict: undefined }],
}

test.each([
  ['one answer', [stored, stored, stored], false],
  ['a taken key for a row that may be stored', [stored, taken, stored], false],
  ['a taken key for a row that fails its check', [checked, taken, checked], true],
  ['a trigger for a row that fails its check', [checked, checked, raised], true],
  ['a check that fails for hidden rows', [stored, checked, stored], true],
])('%s', (_, outcomes, isLeak) => {
  expect(compareRefusals(outcomes, [insert], false).text !== undefined).toBe(isLeak)
})

test('what a later statement of a batch answers hangs on the one before', () => {
  const first: Outcome = { ...taken, message: 'CONFLICT: Statement 1: taken' }
  const second: Outcome = { ...checked, message: 'VALIDATION_ERROR: Statement 2: check' }
  const other: Outcome = { ...taken, message: 'CONFLICT: Statement 2: taken' }
  expect(compareRefusals([first, second], [insert, insert], false).text).toBeUndefined()
  expect(compareRefusals([other, second], [insert, insert], false).text).toBeDefined()
})

test('a taken key next to a volatile function is a failed check', () => {
  expect(compareRefusals([stored, checked], [insert], true).text).toBeUndefined()
  expect(compareRefusals([taken, checked], [insert], true).text).toBeDefined()
})

test('ON CONFLICT skips a hidden row without an answer', () => {
  const conflict = { target: 'id', columns: [], values: [], where: undefined, alias: 'm1' }
  const upsert: GeneratedStatement = {
    ...insert,
    writes: [{ table: 't1', operation: 'insert', columns: ['id'], conflict }],
  }
  const other: Outcome = { kind: 'rows', rows: [[1]], tables: undefined }
  expect(compareRefusals([stored, other], [upsert], false).text).toBeUndefined()
})
