import { adapterConformance } from '@engine/adapter-conformance'
import { createMysqlFixture, type MysqlTexts, mixedTexts, otherTexts } from '@engine/fixtures'
import { createMysqlDatabase, describeMysql } from '@engine/test-databases/vitest'
import { connect } from '../src/index.ts'
import { aboutUnicode } from './support/about-unicode.ts'
import { openClient } from './support/client.ts'
import { refusedByMysql } from './support/refused-by-mysql.ts'

/** The server's own, and one in which each column has another collation; all of them with ALL_TEXTS=true. */
const chosen: readonly (MysqlTexts | undefined)[] = [
  undefined,
  ...(process.env['ALL_TEXTS'] === 'true' ? otherTexts : [mixedTexts]),
]

describeMysql('conformance', () => {
  for (const texts of chosen) conformanceOn(texts)
})

function conformanceOn(texts: MysqlTexts | undefined): void {
  const { name, database = process.env['TEST_MYSQL_COLLATION'] ?? 'utf8mb4_general_ci' } =
    texts ?? {}
  const { columns = [database] } = texts ?? {}
  const hasOthers = columns.some((each) => !each.startsWith('utf8mb4_'))
  adapterConformance(
    name === undefined ? 'MariaDB' : `MariaDB, ${name}`,
    async () => {
      const url = await createMysqlDatabase('conformance')
      const fixture = await createMysqlFixture(url, texts)
      const client = await openClient(url)
      return {
        connection: url,
        adapterPackage: '@engine/adapters-mysql',
        connect,
        kind: 'mysql',
        reset: fixture.reset,
        cut: async () => {
          const sessions = await client.rows(
            `select id from information_schema.processlist
             where db = database() and id not in (connection_id(), ${fixture.connectionId})`,
          )
          for (const { id } of sessions) await client.run(`kill ${id}`)
        },
        remove: async () => {
          await fixture.close()
          await client.close()
        },
      }
    },
    {
      refused: refusedByMysql,
      isRemote: true,
      ...(hasOthers ? { inapplicable: aboutUnicode } : {}),
    },
  )
}
