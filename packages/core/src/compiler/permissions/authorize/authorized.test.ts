import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { admin } from '../../../foundation/caller.ts'
import { bindStatement } from '../../bind/bind.ts'
import { fullAccessView } from '../../bind/scope/full-access-view.ts'
import type { BoundStatement } from '../../bind/tree/bound-query.ts'
import { parseStatement } from '../../sql/parse.ts'
import { accessOf, shop } from '../test-support/authorize-for-test.ts'
import { authorize } from './authorize.ts'
import { type AuthorizedStatement, rewriteAuthorized, sealAuthorized } from './authorized.ts'

function bound(sql: string): BoundStatement {
  const parsed = parseStatement(sql)
  const { parameterCount } = parsed
  return bindStatement(parsed, {
    catalog: shop.catalog,
    view: fullAccessView,
    parameterCount,
  })
}

const authorized = (sql: string): AuthorizedStatement => authorize(bound(sql), accessOf({}, admin))

test('one place marks a statement as authorized', () => {
  const packages = join(import.meta.dirname, '..', '..', '..', '..', '..')
  const marking = globSync('*/src/**/*.ts', { cwd: packages })
    .filter((path) => !/\.test\.ts$|test-support/.test(path))
    .filter((path) =>
      /\bas (?:unknown as )?AuthorizedStatement\b/.test(readFileSync(join(packages, path), 'utf8')),
    )
  expect(marking).toEqual(['core/src/compiler/permissions/authorize/authorized.ts'])
})

test.each([
  'select id from main.tags',
  'select 1 where exists (select from main.tags)',
  'with t as (select id from main.tags) select id from t',
  'insert into main.tags (id, name) values (1, $1)',
  'update main.tags set name = $1',
  'delete from main.tags',
])('%s is not authorized as it is bound', (sql) => {
  expect(() => sealAuthorized(bound(sql))).toThrow('without permissions')
  expect(sealAuthorized(authorized(sql))).toBeDefined()
})

test('a rewriting brings no table in that was not authorized', () => {
  const { body } = bound('select id from main.tags')
  const statement = authorized('select 1')
  expect(() => rewriteAuthorized(statement, (each) => ({ ...each, body }))).toThrow(
    'without permissions',
  )
  expect(rewriteAuthorized(statement, (each) => each)).toEqual(statement)
})
