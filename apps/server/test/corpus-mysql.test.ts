import { describeMysql, describePostgres } from '@engine/test-databases/vitest'
import { mysqlCorpusTests } from './support/mysql-corpus.ts'

describePostgres('with PostgreSQL as the judge', () => {
  describeMysql('mariadb', 'PostgreSQL statements through the gateway to MariaDB', () => {
    // The second run executes the statements that the server prepared in the first.
    mysqlCorpusTests({ rounds: 2 })
  })
})
