import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { filterOperatorNames } from '@engine/contract'
import { expect, test } from 'vitest'
import { filterOperator, filterOperators } from './filter-operators.ts'

/** The table of docs/permissions.md, between its marks: it must have the content that this test expects. */
function documented(): string {
  const rows = filterOperatorNames.map((name) => {
    const { example, meaning } = filterOperators[name]
    return `| \`${example}\` | ${meaning} |`
  })
  return ['| operator | means |', '|---|---|', ...rows].join('\n')
}

test('the documentation has every operator', () => {
  const path = join(
    import.meta.dirname,
    '..',
    '..',
    '..',
    '..',
    '..',
    '..',
    'docs',
    'permissions.md',
  )
  const [, found = ''] = readFileSync(path, 'utf8').split(/<!-- \/?operators -->\n/)
  expect(found.trim()).toBe(documented())
})

test.each(Object.entries(filterOperators))('the example of %s has it', (name, { example }) => {
  expect(example).toContain(`{ ${name}: `)
})

test('only operators are found', () => {
  expect(filterOperatorNames.every((name) => filterOperator(name) !== undefined)).toBe(true)
  expect(filterOperator('$nope')).toBeUndefined()
  expect(filterOperator('constructor')).toBeUndefined()
})
