import { describeEachMysql, describePostgres } from '@engine/test-databases/vitest'
import { mysqlCorpusTests } from '../support/mysql-corpus.ts'

describePostgres('with PostgreSQL as the judge', () => {
  describeEachMysql('PostgreSQL statements through the gateway', (server) => {
    // The second run executes the statements that the server prepared in the first.
    mysqlCorpusTests(server, { rounds: 2 })
  })
})
