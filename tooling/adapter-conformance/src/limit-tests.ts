import { admin } from '@engine/core'
import { describe, expect } from 'vitest'
import { ask, askOne } from './answer.ts'
import type { Opened } from './opened.ts'

/** Joins with billions of rows: no database finishes it within the time limit. */
const endless = `select count(*) from "main"."orders" a, "main"."orders" b, "main"."orders" c, "main"."orders" d
  where a.total_cents + b.total_cents + c.total_cents + d.total_cents = -1`

/** Row limits, time limits, cancelled requests. */
export function limitTests({ engine, check }: Opened): void {
  describe('limits', () => {
    check('several thousand rows come whole', async () => {
      const { rows, truncated } = await ask(
        engine(),
        'select a.id, b.id from "main"."orders" a, "main"."tags" b order by a.id, b.id limit 3000',
      )
      expect(rows).toHaveLength(3_000)
      expect(truncated).toBe(false)
    })

    check('an answer is cut at maxRows, and says so', async () => {
      const sql = 'select a.id from "main"."orders" a, "main"."orders" b'
      const cut = await ask(engine(), sql)
      expect(cut.rows).toHaveLength(5_000)
      expect(cut.truncated).toBe(true)
      expect((await ask(engine(), `${sql} limit 5000`)).truncated).toBe(false)
    })

    check('a limit of NULL is none, a negative one is refused', async () => {
      const sql = 'select id from "main"."tags" order by id limit $1'
      const all = await ask(engine(), 'select id from "main"."tags" order by id')
      expect((await ask(engine(), sql, [null])).rows).toEqual(all.rows)
      await expect(ask(engine(), sql, [-1])).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    })

    check('a statement that runs too long is stopped, and others go on meanwhile', async () => {
      const stopped = expect(ask(engine(), endless)).rejects.toMatchObject({
        code: 'QUERY_TIMEOUT',
        status: 408,
      })
      for (let i = 0; i < 10; i++) {
        expect(await askOne(engine(), 'select $1::int', [i])).toEqual([i])
      }
      await stopped
      expect(await askOne(engine(), 'select 1')).toEqual([1])
    })

    check('a wide answer comes whole', async () => {
      const { rows } = await ask(
        engine(),
        `select a.id, repeat('ä', 300) from "main"."orders" a, "main"."tags" b order by a.id, b.id limit 3000`,
      )
      expect(rows).toHaveLength(3_000)
      expect(rows.every(([, text]) => text === 'ä'.repeat(300))).toBe(true)
    })

    check('a batch that runs too long leaves nothing', async () => {
      const insert = 'insert into "main"."tags" (id, name) values (990, $1)'
      const statements = [
        { sql: insert, params: ['late'], method: 'run' as const, meta: false },
        { sql: endless, params: [], method: 'all' as const, meta: false },
      ]
      await expect(engine().batch({ statements, signal: undefined }, admin)).rejects.toMatchObject({
        code: 'QUERY_TIMEOUT',
      })
      expect(await askOne(engine(), 'select count(*) from "main"."tags" where id = 990')).toEqual([
        '0',
      ])
    })

    check('a request that was given up before it began does nothing', async () => {
      await expect(ask(engine(), endless, [], admin, AbortSignal.abort())).rejects.toThrow()
      expect(await askOne(engine(), 'select 1')).toEqual([1])
    })

    check('a request that was given up is stopped', async () => {
      const controller = new AbortController()
      const stopped = expect(ask(engine(), endless, [], admin, controller.signal)).rejects.toThrow()
      setTimeout(() => controller.abort(), 50)
      await stopped
      expect(await askOne(engine(), 'select 1')).toEqual([1])
    })
  })
}
