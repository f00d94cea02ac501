import { expect, test } from 'vitest'
import { findMarkedFiles } from './find-marked-files.ts'

test('marked files are found with their names, other blocks are not', () => {
  const markdown = `
<!-- file: engine.config.ts -->
\`\`\`ts
export const config = {}
\`\`\`

\`\`\`ts
ignored()
\`\`\`

<!-- host: node -->
\`\`\`ts
listen()
\`\`\`
`
  expect(findMarkedFiles(markdown)).toEqual([
    { kind: 'file', name: 'engine.config.ts', code: 'export const config = {}\n' },
    { kind: 'host', name: 'node', code: 'listen()\n' },
  ])
})
