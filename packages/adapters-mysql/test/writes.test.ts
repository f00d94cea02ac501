import { createDatabase, describeEachMysql, describePostgres } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openComparison, type WriteComparison } from './support/compare-writes.ts'
import { writeCases, writeSetup } from './support/write-cases.ts'

describeEachMysql('writes', (server) => {
  describePostgres('compared with PostgreSQL', () => {
    let comparison: WriteComparison
    beforeAll(async () => {
      comparison = await openComparison(
        { ...writeSetup, mysql: server.ddl(writeSetup.mysql) },
        await createDatabase('writes'),
        await server.createDatabase('writes'),
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
