import { expect, test } from 'vitest'
import { readOptions } from './read-options.ts'
import { readStatement, statementArguments } from './statement-arguments.ts'

const read = (...args: readonly string[]) => readStatement(readOptions(args, statementArguments, 1))

test('a value is JSON where it can be, else a text', async () => {
  const values = ['7', '-1.5', 'true', 'null', '"7"', '[1,2]', 'paid', '007', '', '{a']
  const args = values.map((value) => `--param=${value}`)
  expect(await read('select 1', ...args)).toEqual({
    sql: 'select 1',
    params: [7, -1.5, true, null, '7', [1, 2], 'paid', '007', '', '{a'],
  })
  expect((await read('select 1', '--params', '[1, "a"]')).params).toEqual([1, 'a'])
  expect((await read('select 1')).params).toEqual([])
})

test.each<[args: readonly string[], message: string]>([
  [[], 'Say which statement'],
  [['select $1', '--params', '7'], '--params: expects a JSON list'],
  [['select $1', '--params', '['], '--params: '],
  [['select $1', '--params', '[7]', '--param', '7'], 'not both'],
])('%j is refused', async (args, message) => {
  await expect(read(...args)).rejects.toMatchObject({
    problem: 'invalidConfiguration',
    message: expect.stringContaining(message),
  })
})
