/** The types that the adapters know by name are all in the list that is tested. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { storedTypes } from './stored-types.ts'

const packages = new URL('../../../../packages/', import.meta.url)

function namesIn(path: string, pattern: RegExp): readonly string[] {
  const text = readFileSync(new URL(path, packages), 'utf8')
  return [...text.matchAll(pattern)].map(([, name = '']) => name)
}

test('every type of MariaDB and MySQL', () => {
  const names = namesIn('adapters-mysql/src/introspection/column-type.ts', /^ {4}case '(\w+)':/gm)
  const declared = storedTypes.flatMap(({ columns: { mysql, mariadb } }) =>
    [mysql, mariadb].map((each) => (each === 'integer' ? 'int' : each?.split(/\W/)[0])),
  )
  expect(names.length).toBeGreaterThan(30)
  expect(names.filter((name) => !declared.includes(name))).toEqual([])
})

test('every type of SQLite', () => {
  const names = namesIn('adapters-sqlite/src/introspection/declared-type.ts', /^ {2}\| '(\w+)'/gm)
  const declared = storedTypes.flatMap(({ columns, type }) =>
    columns.sqlite === undefined ? [] : [shortName(type.replace(/\(.*/, ''))],
  )
  expect(names.length).toBeGreaterThan(14)
  expect(names.filter((name) => !declared.includes(name))).toEqual([])
})

/** As the adapter has it. */
function shortName(type: string): string {
  const names: Readonly<Record<string, string>> = {
    boolean: 'bool',
    smallint: 'int2',
    integer: 'int4',
    bigint: 'int8',
    'double precision': 'float8',
    char: 'bpchar',
  }
  return names[type] ?? type
}
