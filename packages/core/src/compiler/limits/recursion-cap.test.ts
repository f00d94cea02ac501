import { expect, test } from 'vitest'
import { type DatabaseTraits, knownTraits } from '../catalog/database-traits.ts'
import {
  accessOf,
  authorizeText,
  shop,
  user,
} from '../permissions/test-support/authorize-for-test.ts'
import { describeStatement } from '../permissions/test-support/describe-statement.ts'
import { withRecursionCap } from './recursion-cap.ts'

const tags = { table: 'main.tags', roles: ['r'], select: {} }

function capped(sql: string, traits?: DatabaseTraits): string {
  const authorized = authorizeText(sql, accessOf({ tags }, user(['r'])))
  const statement = {
    ...authorized,
    connection: { ...shop.connection, traits: knownTraits(traits) },
  }
  return describeStatement(withRecursionCap(statement as Parameters<typeof withRecursionCap>[0]))
}

const recursive =
  'with recursive q(n) as (select id from main.tags union all select n + 1 from q where n < 9)'

test('what reads a recursive query from outside counts its rows, the query itself does not', () => {
  const text = capped(`${recursive} select n from q`)
  expect(text).toContain('union (select (cte.c1 + 1) from cte where (cte.c1 < 9))')
  expect(text).toContain(
    'where case when (subquery.c2 > 10000000) then (repeat(x, cast((subquery.c2 * 2))) = ) else true end',
  )
  expect(text.match(/10000000/g)).toHaveLength(1)
  expect(capped(`${recursive} select a.n from q a, q b`).match(/10000000/g)).toHaveLength(2)
})

test('nothing is counted without recursion, nor where rows are handed on one by one', () => {
  expect(capped('with q as (select id from main.tags) select id from q')).not.toContain('repeat')
  expect(capped(`${recursive} select n from q`, { streamsRecursion: true })).not.toContain('repeat')
})
