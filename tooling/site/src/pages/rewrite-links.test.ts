import { expect, test } from 'vitest'
import { rewriteLinks } from './rewrite-links.ts'

const targets = {
  pages: new Map([
    ['docs/auth.md', 'auth.md'],
    ['docs/how-to/README.md', 'how-to/index.md'],
    ['packages/http/README.md', 'packages/http.md'],
  ]),
  repository: 'https://example.com/blob/main',
}

const onGuide = (markdown: string) =>
  rewriteLinks(markdown, { source: 'docs/guide.md', page: 'guide.md' }, targets)

test.each([
  ['[a](auth.md)', '[a](./auth.md)'],
  ['[a](auth.md#roles)', '[a](./auth.md#roles)'],
  ['[a](#here)', '[a](#here)'],
  ['[a](https://example.org/x)', '[a](https://example.org/x)'],
  ['[a](../packages/http)', '[a](./packages/http.md)'],
  ['[a](../packages/http/README.md)', '[a](./packages/http.md)'],
  ['[a](how-to/)', '[a](./how-to/index.md)'],
  ['[a](decisions)', '[a](./decisions/index.md)'],
  ['![a](screenshots/x.webp)', '![a](./screenshots/x.webp)'],
  ['[a](../apps/server/src/main.ts)', '[a](https://example.com/blob/main/apps/server/src/main.ts)'],
  ['[a](../README.md)', '[a](./index.md)'],
])('%s', (markdown, rewritten) => {
  expect(onGuide(markdown)).toBe(rewritten)
})

test('from a page in a folder', () => {
  const place = { source: 'packages/http/README.md', page: 'packages/http.md' }
  expect(rewriteLinks('[a](../../docs/auth.md)', place, targets)).toBe('[a](../auth.md)')
})

test('code stays as it is', () => {
  const block = '```ts\nconst a = list[0](auth.md)\n```'
  expect(onGuide(block)).toBe(block)
})
