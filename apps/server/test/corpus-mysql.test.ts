import { describeMysql, describePostgres } from '@engine/test-databases/vitest'
import { mysqlCorpusTests } from './support/mysql-corpus.ts'

describePostgres('with PostgreSQL as the judge', () => {
  describeMysql('PostgreSQL statements through the gateway to MariaDB', () => {
    // What the server has prepared the first time it executes again the second time.
    mysqlCorpusTests({ rounds: 2 })
  })
})
