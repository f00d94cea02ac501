import { type MysqlTexts, mysqlTexts } from '@engine/fixtures'
import { describeEachMysql, describePostgres } from '@engine/test-databases/vitest'
import { describe } from 'vitest'
import { mysqlCorpusTests } from '../support/mysql-corpus.ts'

/** Two collations that differ most from each other and from the default; all of them with ALL_TEXTS=true. */
function chosenOf(vendor: keyof typeof mysqlTexts): readonly MysqlTexts[] {
  const { mixed, others } = mysqlTexts[vendor]
  if (process.env['ALL_TEXTS'] === 'true') return others
  return others.filter((each) => each === mixed || each.name === 'utf8mb3')
}

describePostgres('with PostgreSQL as the judge', () => {
  describeEachMysql('PostgreSQL statements through the gateway', (server) => {
    const chosen = chosenOf(server.vendor).map((texts) => ({ name: texts.name, texts }))
    describe.each(chosen)('$name', ({ texts }) => {
      mysqlCorpusTests(server, { texts })
    })
  })
})
