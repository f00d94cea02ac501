import { expect, test } from 'vitest'
import { completionOf, parseTag, plainCompletion, tagOf } from './completion.ts'

test('tags of statements have numbers, those of commands have none', () => {
  expect(tagOf(completionOf('select', 3))).toBe('SELECT 3')
  expect(tagOf(completionOf('insert', 1))).toBe('INSERT 0 1')
  expect(tagOf(completionOf('update', 0))).toBe('UPDATE 0')
  expect(tagOf(completionOf('delete', 2))).toBe('DELETE 2')
  expect(tagOf(plainCompletion('CLOSE CURSOR ALL'))).toBe('CLOSE CURSOR ALL')
})

test('a tag is read as another server spelled it', () => {
  for (const tag of ['SELECT 0', 'INSERT 0 12', 'SHOW', 'CREATE TABLE AS', 'EXPLAIN']) {
    expect(tagOf(parseTag(tag))).toBe(tag)
  }
  expect(parseTag('INSERT 0 12')).toEqual({ verb: 'INSERT 0', count: 12 })
})
