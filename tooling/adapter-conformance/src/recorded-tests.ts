import { GatewayError } from '@engine/core'
import { compareRows } from '@engine/corpus/compare-rows'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Opened } from './adapter-conformance.ts'
import { ask } from './answer.ts'
import { recordedQueries } from './recorded-query.ts'

/**
 * What PostgreSQL answered is what every database answers, or it refuses. What is refused has to be known.
 *
 * @param refused ids of queries that the adapter refuses
 */
export function recordedTests({ engine, reset }: Opened, refused: ReadonlySet<string>): void {
  describe("PostgreSQL's answers", () => {
    beforeAll(() => reset())

    test.each(recordedQueries())('$id', async ({ id, sql, params, ordered, rows }) => {
      if (refused.has(id)) {
        const refusal = await ask(engine(), sql, params).catch((error: unknown) => error)
        expect(refusal).toBeInstanceOf(GatewayError)
        expect(refusal).toMatchObject({ code: 'BAD_REQUEST', status: 400 })
        return
      }
      const answer = await ask(engine(), sql, params)
      expect(compareRows(rows, answer.rows, ordered)).toBeUndefined()
    })
  })
}
