import { beforeEach, describe, expect, test } from 'vitest'
import { ask, askOne } from './answer.ts'
import type { Opened } from './opened.ts'

/**
 * The adapter connects again after all its connections broke.
 *
 * @param cut ends every connection of the adapter, from the side of the database
 */
export function reconnectTests({ engine, reset }: Opened, cut: () => Promise<void>): void {
  describe('connections that break', () => {
    beforeEach(() => reset())

    const one = 'select 1'
    const count = 'select count(*) from "main"."tags" where id > 900'
    const insert = 'insert into "main"."tags" (id, name) values ($1, $2)'
    const fillPool = () => Promise.all(Array.from({ length: 8 }, () => askOne(engine(), one)))

    test('the next read works', async () => {
      await fillPool()
      await cut()
      expect(await askOne(engine(), one)).toEqual([1])
      await Promise.all(Array.from({ length: 8 }, () => askOne(engine(), one)))
    })

    test('a write is done once, or not at all and told so', async () => {
      await fillPool()
      await cut()
      const outcome = await ask(engine(), insert, [901, 'first']).catch((error: unknown) => error)
      const stored = Number((await askOne(engine(), count))[0])
      if (stored === 0) expect(outcome).toMatchObject({ code: 'UNAVAILABLE', status: 503 })
      else expect(outcome).toMatchObject({ rowCount: 1 })
      await ask(engine(), insert, [902, 'second'])
      expect(await askOne(engine(), count)).toEqual([String(stored + 1)])
    })
  })
}
