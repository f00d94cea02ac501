import { expect, test } from 'vitest'
import { minimise } from './minimise.ts'
import { smallerTrees } from './smaller-trees.ts'
import { group, list, maybe, plain, printTree, type Tree } from './tree.ts'

const e = group('e:int4')
const text = (tree: Tree): string => printTree(tree, { side: 'engine', table: (name) => name }).sql

const smallest = async (tree: Tree, isInteresting: (sql: string) => boolean): Promise<string> =>
  text(
    await minimise(
      tree,
      (current) => smallerTrees(current, (sort) => (sort === 'e:int4' ? [e`0`] : [])),
      async (candidate) => isInteresting(text(candidate)),
    ),
  )

test('keeps what it is about and nothing else', async () => {
  const tree = plain`select ${list([e`(${e`a`} + ${e`b`})`, e`c`, e`d`])}${maybe(plain` where ${e`x`} > 1`)}`

  expect(await smallest(tree, (sql) => sql.includes('b'))).toBe('select b')
})

test('exchanges a group for a smaller one of its sort', async () => {
  const tree = plain`f(${e`g(${e`h(${e`y`})`}, ${e`z`})`})`

  expect(await smallest(tree, (sql) => sql.startsWith('f('))).toBe('f(0)')
})

test('ends when its patience does', async () => {
  let tried = 0
  await minimise(
    100,
    (number) => (number > 0 ? [number - 1] : []),
    async () => {
      tried += 1
      return true
    },
    10,
  )

  expect(tried).toBe(10)
})
