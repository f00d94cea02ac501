import {
  createDatabase,
  createMysqlDatabase,
  describeMysql,
  describePostgres,
} from '@engine/test-databases/vitest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openComparison, type WriteComparison } from './support/compare-writes.ts'
import { writeCases, writeSetup } from './support/write-cases.ts'

describeMysql('writes on MariaDB', () => {
  describePostgres('compared with PostgreSQL', () => {
    let comparison: WriteComparison
    beforeAll(async () => {
      comparison = await openComparison(
        writeSetup,
        await createDatabase('writes'),
        await createMysqlDatabase('writes'),
      )
    })
    afterAll(async () => {
      await comparison?.close()
    })

    test.each(Object.entries(writeCases))('%s', async (_, steps) => {
      const expected = await comparison.onPostgres(steps)
      expect(await comparison.onMysql(steps)).toEqual(expected)
    })
  })
})
