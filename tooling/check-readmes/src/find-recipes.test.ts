import { expect, test } from 'vitest'
import { findRecipes } from './find-recipes.ts'

const recipe = `## Owners

\`\`\`sql
create table notes (id integer);
\`\`\`

Words.

\`\`\`ts
permissions: {}
\`\`\`

\`\`\`json
{ "ignored": true }
\`\`\`

\`\`\`ts
callers: {},
tests: []
\`\`\`
`

test('a recipe has tables, permissions and tests; other sections are no recipes', () => {
  expect(
    findRecipes(`# Cookbook\n\n\`\`\`ts\nintro()\n\`\`\`\n\n${recipe}\n## Advice\n\ntext\n`),
  ).toEqual([
    {
      title: 'Owners',
      tables: 'create table notes (id integer);\n',
      permissions: 'permissions: {}\n',
      tests: 'callers: {},\ntests: []\n',
    },
  ])
})

test('a recipe without tests is an error that names it', () => {
  const [withoutTests = ''] = recipe.split('```json')
  expect(() => findRecipes(withoutTests)).toThrow('"Owners" has tables, permissions instead of')
})
