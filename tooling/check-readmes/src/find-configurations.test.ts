import { expect, test } from 'vitest'
import { findConfigurations } from './find-configurations.ts'

const options = ['connections.<name>.url', 'limits.maxRows', 'channels[].roles']

test('parts of configurations get the rest; answers are none', () => {
  const markdown = [
    '```json',
    '{ "limits": { "maxRows": 5 } }',
    '```',
    '```json',
    '{ "error": "CONFLICT" }',
    '```',
    '```ts',
    '// engine.config.ts',
    'export default {}',
    '```',
  ].join('\n')
  expect(findConfigurations(markdown, options)).toEqual([
    {
      file: 'engine.config.json',
      code: expect.stringMatching(/^\{"connections":.*,"auth":.*,"limits":\{"maxRows":5\}\}$/),
      line: 1,
    },
    { file: 'engine.config.ts', code: '// engine.config.ts\nexport default {}\n', line: 7 },
  ])
})

test('a block of JSON that is none', () => {
  expect(() => findConfigurations('```json\n{ a }\n```', options)).toThrow(SyntaxError)
})
