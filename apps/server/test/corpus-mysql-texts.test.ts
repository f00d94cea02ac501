import { type MysqlTexts, mysqlTexts } from '@engine/fixtures'
import { describeMysql, describePostgres } from '@engine/test-databases/vitest'
import { describe } from 'vitest'
import { mysqlCorpusTests } from './support/mysql-corpus.ts'

/** Two collations that differ most from each other and from the default; all of them with ALL_TEXTS=true. */
const { mixed: mixedTexts, others: otherTexts } = mysqlTexts.mariadb
const chosen: readonly MysqlTexts[] =
  process.env['ALL_TEXTS'] === 'true'
    ? otherTexts
    : otherTexts.filter((each) => each === mixedTexts || each.name === 'utf8mb3')

describePostgres('with PostgreSQL as the judge', () => {
  describeMysql('mariadb', 'PostgreSQL statements through the gateway to MariaDB', () => {
    describe.each(chosen.map((texts) => ({ name: texts.name, texts })))('$name', ({ texts }) => {
      mysqlCorpusTests({ texts })
    })
  })
})
