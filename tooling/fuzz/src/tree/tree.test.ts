import { expect, test } from 'vitest'
import { group, list, maybe, plain, printTree, type Tree, table } from './tree.ts'

const options = { side: 'engine', table: (name: string) => `main.${name}` } as const

test('values are numbered as they come, a repeated one once', () => {
  const one: Tree = { kind: 'value', value: 1, type: 'int4' }
  const two: Tree = { kind: 'value', value: 'x', type: undefined }

  expect(printTree(plain`select ${one}, ${two}, ${one} from ${table('t1')}`, options)).toEqual({
    sql: 'select $1::int4, $2, $1::int4 from main.t1',
    params: [1, 'x'],
  })
})

test('what is left out prints as nothing', () => {
  const tree = plain`select ${list(['1', '2'])}${maybe(undefined)}${maybe(' limit 1')}`

  expect(printTree(tree, options).sql).toBe('select 1, 2 limit 1')
})

test('each side reads its own text', () => {
  const tree: Tree = { kind: 'split', engine: 'm.*', reference: 'm.id' }

  expect(printTree(tree, options).sql).toBe('m.*')
  expect(printTree(tree, { ...options, side: 'reference' }).sql).toBe('m.id')
})

test('lazily, constants are subqueries and columns are not', () => {
  const tree = plain`${group('e:int4')`1`} = ${group('e:int4')`a1.id`}`

  expect(printTree(tree, { ...options, isLazy: true }).sql).toBe('(select 1) = a1.id')
})

test('unfiltered, every row meets every other', () => {
  const where = maybe(plain` where ${'a.id > 1'}`)
  const tree = plain`select 1 from ${plain`${'t a'} ${'join'} ${'t b'} on ${'a.id = b.id'}`}${where}`

  expect(printTree(tree, options).sql).toBe(
    'select 1 from t a join t b on a.id = b.id where a.id > 1',
  )
  expect(printTree(tree, { ...options, isUnfiltered: true }).sql).toBe(
    'select 1 from t a join t b on true',
  )
})
