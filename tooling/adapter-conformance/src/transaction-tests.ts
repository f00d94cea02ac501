import { admin, type Engine } from '@engine/core'
import { beforeEach, describe, expect } from 'vitest'
import { ask, askOne } from './answer.ts'
import type { Opened } from './opened.ts'

function batch(engine: Engine, statements: readonly (readonly [string, readonly unknown[]])[]) {
  return engine.batch(
    {
      statements: statements.map(([sql, params]) => ({ sql, params, method: 'all', meta: false })),
      signal: undefined,
    },
    admin,
  )
}

const tagCount = 'select count(*) from "main"."tags" where id > 900'

/** Several statements as one transaction, and many at the same time. */
export function transactionTests({ engine, reset, check }: Opened): void {
  describe('transactions', () => {
    beforeEach(() => reset())

    check('a batch sees its own writes and keeps them', async () => {
      const { body } = await batch(engine(), [
        ['insert into "main"."tags" (id, name) values ($1, $2)', [901, 'first']],
        [tagCount, []],
      ])
      expect(JSON.parse(String(body)).results[1]).toEqual({ rows: [['1']] })
      expect(await askOne(engine(), tagCount)).toEqual(['1'])
    })

    check('a batch that fails leaves nothing', async () => {
      await expect(
        batch(engine(), [
          ['insert into "main"."tags" (id, name) values ($1, $2)', [901, 'first']],
          ['insert into "main"."tags" (id, name) values ($1, $2)', [1, 'taken']],
        ]),
      ).rejects.toMatchObject({ code: 'CONFLICT' })
      expect(await askOne(engine(), tagCount)).toEqual(['0'])
    })

    check('a failed statement does not disturb the next ones', async () => {
      for (let i = 0; i < 20; i++) {
        await expect(ask(engine(), 'select 1 / (id - id) from "main"."tags"')).rejects.toThrow()
        expect(await askOne(engine(), 'select 1 + $1::int', [i])).toEqual([i + 1])
      }
    })

    check('concurrent writers lose no update', async () => {
      const key = await askOne(engine(), 'select min(key) from "main"."counters"')
      const read = 'select n from "main"."counters" where key = $1'
      const [before] = await askOne(engine(), read, key)
      const bump = () => ask(engine(), 'update "main"."counters" set n = n + 1 where key = $1', key)
      await Promise.all(Array.from({ length: 50 }, bump))
      expect(Number((await askOne(engine(), read, key))[0])).toBe(Number(before) + 50)
    })

    check('readers beside writers never see half a batch', async () => {
      const move = (amount: number) =>
        batch(engine(), [
          ['update "main"."settings" set level = level + $1 where id = 1', [amount]],
          ['update "main"."settings" set level = level - $1 where id = 2', [amount]],
        ])
      const sum = 'select sum(level) from "main"."settings" where id in (1, 2)'
      const [before] = await askOne(engine(), sum)
      const seen = await Promise.all([
        ...Array.from({ length: 20 }, () => askOne(engine(), sum)),
        ...Array.from({ length: 10 }, (_, i) =>
          move(i % 2 === 0 ? 1 : -1).then(() => askOne(engine(), sum)),
        ),
      ])
      expect(seen.filter(([total]) => total !== before)).toEqual([])
    })

    check('many readers at a time each get their own answer', async () => {
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, i) => askOne(engine(), 'select $1::int * 2', [i])),
      )
      expect(answers).toEqual(Array.from({ length: 60 }, (_, i) => [i * 2]))
    })
  })
}
