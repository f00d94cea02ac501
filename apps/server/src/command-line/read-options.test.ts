import { expect, test } from 'vitest'
import { readOptions } from './read-options.ts'

const definitions = {
  sql: { type: 'positional' },
  config: { type: 'string' },
  param: { type: 'string' },
  json: { type: 'boolean' },
} as const

test('texts, flags and positional arguments', () => {
  const options = readOptions(['--config', 'a', 'x', '--config=b', '--json'], definitions, 1)
  expect(options.positionals).toEqual(['x'])
  expect(options.text('config')).toBe('b')
  expect(options.texts('param')).toEqual([])
  expect(options.text('param')).toBeUndefined()
  expect(options.flag('json')).toBe(true)
  expect(readOptions([], definitions, 1).flag('json')).toBe(false)
  expect(readOptions(['--json', '--no-json'], definitions, 1).flag('json')).toBe(false)
})

test('an option may come several times, its value may begin with a minus', () => {
  const options = readOptions(['--param', '1', '--param=-2', '--param', ''], definitions, 1)
  expect(options.texts('param')).toEqual(['1', '-2', ''])
})

test('an argument after -- is not an option', () => {
  expect(readOptions(['--', '--json'], definitions, 1).positionals).toEqual(['--json'])
})

test.each<[args: readonly string[], message: RegExp]>([
  [['--jsn'], /^Unknown option '--jsn'; did you mean "json"\? \(see --help\)$/],
  [['-x'], /^Unknown option '-x' \(see --help\)$/],
  [['--config'], /--config <value>' argument missing \(see --help\)$/],
  [['--param', '-2'], /ambiguous/],
  [['--json=1'], /--json' does not take an argument/],
  [['a', 'b'], /^Unexpected argument: b \(see --help\)$/],
])('%j is refused', (args, message) => {
  expect(() => readOptions(args, definitions, 1)).toThrow(
    expect.objectContaining({
      problem: 'invalidConfiguration',
      message: expect.stringMatching(message),
    }),
  )
})
