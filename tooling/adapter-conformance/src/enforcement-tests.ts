/**
 * @module Restrictions that only the database can enforce: each test covers one part that permissions add to the tree.
 */
import type { Caller, Engine, Permission } from '@engine/core'
import { afterAll, beforeAll, beforeEach, describe, expect } from 'vitest'
import { ask, errorOf } from './answer.ts'
import type { Opened } from './opened.ts'

/** May read tags 1 to 5, and the names of 1 to 3; products up to 10; may write tags above 900. */
const permissions: Readonly<Record<string, Permission>> = {
  few_tags: {
    table: 'main.tags',
    roles: ['clerk'],
    select: { columns: ['id'], where: { $or: [{ id: { $lte: 5 } }, { id: { $gt: 900 } }] } },
    insert: { check: { id: { $gt: 900 } } },
    update: { where: { id: { $lte: 5 } }, check: { name: { $ne: 'forbidden' } } },
    delete: { where: { id: { $gt: 900 } } },
  },
  names: {
    table: 'main.tags',
    roles: ['clerk'],
    select: { where: { $or: [{ id: { $lte: 3 } }, { id: { $between: [901, 905] } }] } },
  },
  few_products: {
    table: 'main.products',
    roles: ['clerk'],
    select: { where: { id: { $lte: 10 } } },
  },
}

const clerk: Caller = { kind: 'user', id: 'u', roles: ['clerk'], fields: {} }

export function enforcementTests({ openEngine, reset, check }: Opened): void {
  describe('what an adapter enforces', () => {
    let limited: Engine
    beforeAll(async () => {
      limited = await openEngine({ permissions })
    })
    afterAll(() => limited?.close())
    beforeEach(async () => {
      await reset()
      await limited.refreshCatalog()
    })

    const rowsOf = async (sql: string, params: readonly unknown[] = []) =>
      (await ask(limited, sql, params, clerk)).rows
    const refused = (sql: string, params: readonly unknown[] = []) =>
      errorOf(limited, sql, params, clerk)

    check('SecuredTable.filter: rows that the filter hides are nowhere', async () => {
      expect(await rowsOf('select count(*), max(id) from "main"."tags"')).toEqual([['5', 5]])
      const joined = `select count(*) from "main"."tags" a left join "main"."tags" b on b.id = a.id + 4`
      expect(await rowsOf(`${joined} where b.id is null`)).toEqual([['4']])
      expect(await rowsOf('select id from "main"."tags" where id > 5')).toEqual([])
    })

    check('SecuredTable.masks: a hidden cell is NULL, wherever it stands', async () => {
      const sql = 'select id, name is null from "main"."tags" order by id'
      expect((await rowsOf(sql)).map(([, isNull]) => isNull)).toEqual([
        false,
        false,
        false,
        true,
        true,
      ])
      expect(await rowsOf('select count(name) from "main"."tags"')).toEqual([['3']])
      const known = 'select count(*) from "main"."tags" where name >= $1'
      expect(await rowsOf(known, [''])).toEqual([['3']])
    })

    check('SecuredTable.barrier: nothing of the client is evaluated on a hidden row', async () => {
      // Fails on products above 10, which exist.
      const failing = 'select count(*) from "main"."products" where 1 / (id / 11 - 1) < $1'
      expect(await rowsOf(failing, [9])).toEqual([['10']])
      const joined = `select count(*) from "main"."tags" t join "main"."products" p on p.id = t.id
        where 1 / (p.id / 11 - 1) < $1`
      expect(await rowsOf(joined, [9])).toEqual([['5']])
      await expect(ask(limited, failing, [9])).rejects.toMatchObject({
        sqlState: expect.stringMatching(/^22/),
      })
    })

    check('SecuredTable.pushed: a condition that is moved inside still holds outside', async () => {
      const sql = 'select id from "main"."tags" where id >= $1 and name is null order by id'
      expect(await rowsOf(sql, [2])).toEqual([[4], [5]])
      const outer = `select t.id from "main"."products" p left join "main"."tags" t on t.id = p.id and t.id = $1
        order by p.id limit 2`
      expect(await rowsOf(outer, [2])).toEqual([[null], [2]])
    })

    check('WriteSecurity.rows: a write reaches no row that is hidden or not its own', async () => {
      const update = 'update "main"."tags" set name = $1 where id = $2'
      const countOf = async (sql: string, params: readonly unknown[]) =>
        (await ask(limited, sql, params, clerk)).rowCount
      expect(await countOf(update, ['mine', 5])).toBe(1)
      expect(await countOf(update, ['hidden', 6])).toBe(0)
      expect(await countOf('update "main"."tags" set name = name where id < 4', [])).toBe(3)
      expect(await countOf('delete from "main"."tags" where id > 0', [])).toBe(0)
      const stored = 'select id from "main"."tags" where name in ($1, $2)'
      expect((await ask(limited, stored, ['mine', 'hidden'])).rows).toEqual([[5]])
    })

    check('WriteSecurity.check: a stored row that fails takes the whole write back', async () => {
      const state = 'select count(*), min(name), max(name) from "main"."tags"'
      const before = (await ask(limited, state)).rows
      const failed = { problem: 'checkFailed', status: 422 }
      const insert = 'insert into "main"."tags" (id, name) values ($1, $2), ($3, $4)'
      expect(await refused(insert, [901, 'a', 899, 'b'])).toMatchObject(failed)
      const update = `update "main"."tags" set name = case id when 2 then 'forbidden' else 'fine' end`
      expect(await refused(update)).toMatchObject(failed)
      const upsert = `insert into "main"."tags" (id, name) values ($1, $2)
        on conflict (id) do update set name = excluded.name`
      expect(await refused(upsert, [2, 'other'])).toMatchObject(failed)
      expect((await ask(limited, state)).rows).toEqual(before)
    })

    check(
      'WriteSecurity.existing: an upsert leaves a row alone that it may not update',
      async () => {
        const upsert = `insert into "main"."tags" (id, name) values ($1, $2)
        on conflict (id) do update set name = excluded.name`
        expect((await ask(limited, upsert, [903, 'first'], clerk)).rowCount).toBe(1)
        expect((await ask(limited, upsert, [903, 'second'], clerk)).rowCount).toBe(0)
        const stored = 'select name from "main"."tags" where id = $1'
        expect((await ask(limited, stored, [903])).rows).toEqual([['first']])
      },
    )

    check('WriteSecurity.visible: RETURNING gives what a SELECT would', async () => {
      const insert =
        'insert into "main"."tags" (id, name) values ($1, $2), ($3, $4) returning id, name'
      expect(await rowsOf(insert, [904, 'seen', 906, 'masked'])).toEqual([
        [904, 'seen'],
        [906, null],
      ])
    })
  })
}
