import { compareRows } from '@engine/corpus/compare-rows'
import { beforeAll, describe, expect } from 'vitest'
import { ask } from './answer.ts'
import type { Opened } from './opened.ts'
import { recordedQueries } from './recorded-query.ts'

/** Every database returns PostgreSQL's answer, or refuses. Refusals must be listed. */
export function recordedTests({ engine, reset, has, check }: Opened): void {
  describe("PostgreSQL's answers", () => {
    beforeAll(() => reset())

    for (const { id, sql, params, ordered, rows } of recordedQueries()) {
      if (id.startsWith('views: ') && !has('views')) continue
      check(id, async () => {
        const answer = await ask(engine(), sql, params)
        expect(compareRows(rows, answer.rows, ordered)).toBeUndefined()
      })
    }
  })
}
