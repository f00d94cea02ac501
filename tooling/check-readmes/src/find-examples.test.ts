import { expect, test } from 'vitest'
import { findExamples } from './find-examples.ts'

test('a marked block is an example, an unmarked one is not', () => {
  const markdown = [
    '# Title',
    '```ts',
    'ignored()',
    '```',
    '<!-- runnable -->',
    '',
    '```ts',
    'const a = 1',
    '',
    'console.log(a)',
    '```',
    '<!-- runnable -->',
    '```sh',
    'echo hello',
    '```',
  ].join('\n')
  expect(findExamples(markdown)).toEqual([
    { language: 'ts', code: 'const a = 1\n\nconsole.log(a)\n', line: 7, needsInstall: false },
    { language: 'sh', code: 'echo hello\n', line: 13, needsInstall: false },
  ])
})

test('an example may need what the README installs', () => {
  const markdown = '<!-- runnable when installed -->\n```sh\ntrue\n```\n'
  expect(findExamples(markdown)).toEqual([
    { language: 'sh', code: 'true\n', line: 2, needsInstall: true },
  ])
})

test('a mark without a block that can run is an error that names its line', () => {
  expect(() => findExamples('\n<!-- runnable -->\ntext\n')).toThrow('line 2')
  expect(() => findExamples('<!-- runnable -->\n```json\n{}\n```\n')).toThrow('line 1')
  expect(() => findExamples('<!-- runnable -->\n```ts\nopen()\n')).toThrow('line 1')
  expect(() => findExamples('<!-- runnable -->')).toThrow('line 1')
})
