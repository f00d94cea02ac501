import { describePostgres } from '@engine/test-databases/vitest'
import { expect, inject, test } from 'vitest'
import { record } from '../src/record.ts'
import { recordedQueries } from '../src/recorded-query.ts'

describePostgres('the recording', () => {
  test('is what PostgreSQL answers; `pnpm record` writes it anew', async () => {
    const recorded = recordedQueries()
    expect(recorded.length).toBeGreaterThan(300)
    expect(await record(inject('postgresUrl') ?? '')).toEqual(recorded)
  })
})
