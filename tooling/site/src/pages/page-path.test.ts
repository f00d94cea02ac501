import { expect, test } from 'vitest'
import { pagePath } from './page-path.ts'

test.each([
  ['docs/permissions.md', 'permissions.md'],
  ['docs/decisions/0001-contract-package.md', 'decisions/0001-contract-package.md'],
  ['docs/how-to/README.md', 'how-to/index.md'],
  ['packages/core/README.md', 'packages/core.md'],
  ['apps/server/README.md', 'packages/server.md'],
  ['apps/example-react/README.md', 'examples/example-react.md'],
  ['tooling/README.md', 'tooling/index.md'],
  ['tooling/fuzz/README.md', 'tooling/fuzz.md'],
  ['ARCHITECTURE.md', 'architecture.md'],
  ['README.md', undefined],
])('%s', (source, page) => {
  expect(pagePath(source)).toBe(page)
})
