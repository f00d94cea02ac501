import { expect, test } from 'vitest'
import { wireClients } from './clients.ts'
import { declaredIn } from './declared-checks.ts'

test('checks are read from a program in Python', () => {
  const source =
    '@check("one")\ndef _():\n    pass\n\n\n@check("two", "postgres")\nasync def _():\n'
  expect(declaredIn(source, '.py')).toEqual([
    { name: 'one', needs: undefined },
    { name: 'two', needs: 'postgres' },
  ])
})

test('checks are read from a program in Java', () => {
  const source =
    '    Checks.check("one", () -> {\n    Checks.check("two", "engine", () -> ask(meta -> {\n'
  expect(declaredIn(source, '.java')).toEqual([
    { name: 'one', needs: undefined },
    { name: 'two', needs: 'engine' },
  ])
})

test('checks are read from a program in Perl', () => {
  const source =
    'check( "one", sub {\n    1;\n} );\n\ncheck( "two", sub {\n    2;\n}, "postgres" );\n'
  expect(declaredIn(source, '.pl')).toEqual([
    { name: 'one', needs: undefined },
    { name: 'two', needs: 'postgres' },
  ])
})

test('every client has checks, and no two have the same name', () => {
  const names = wireClients.flatMap(({ checks }) => checks.map(({ name }) => name))
  expect(wireClients.filter(({ checks }) => checks.length < 5)).toEqual([])
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([])
})
