import { expect, test } from 'vitest'
import { findBlocks } from './find-blocks.ts'

test('blocks with their languages, lines and marks', () => {
  const markdown = [
    '# Title',
    '<!-- not run: needs Docker -->',
    '',
    '```sh',
    'docker build .',
    '```',
    'Text.',
    '```',
    'plain',
    '```',
  ].join('\n')
  expect(findBlocks(markdown)).toEqual([
    { language: 'sh', code: 'docker build .\n', line: 4, mark: 'not run: needs Docker' },
    { language: '', code: 'plain\n', line: 8, mark: '' },
  ])
})
