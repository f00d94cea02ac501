import { adapterConformance } from '@engine/adapter-conformance'
import { createMysqlFixture, type MysqlTexts, mysqlTexts } from '@engine/fixtures'
import { describeEachMysql, type MysqlOfRun } from '@engine/test-databases/vitest'
import { connect } from '../src/index.ts'
import { aboutUnicode } from './support/about-unicode.ts'
import { openClient } from './support/client.ts'
import { refusedByMysql } from './support/refused-by-mysql.ts'

/** ER_NO_SUCH_THREAD */
const unknownThread = 1094

/** Over the server's own texts, and over columns of which each has another collation; all of them with ALL_TEXTS=true. */
describeEachMysql('conformance', (server) => {
  const { mixed, others } = mysqlTexts[server.vendor]
  conformanceOn(server, undefined)
  for (const texts of process.env['ALL_TEXTS'] === 'true' ? others : [mixed]) {
    conformanceOn(server, texts)
  }
})

/**
 * MariaDB 11.8 says of every value of a long column with a collation of several levels, such as uca1400_as_cs, that it was cut when
 * it was sorted: views that sort by such columns are refused there. With TEST_NEWEST=true.
 */
const refusedBySorts: readonly string[] =
  process.env['TEST_NEWEST'] === 'true'
    ? ['filtered', 'on a computed column', 'aggregated', 'order by date of a view'].map(
        (name) => `views: ${name}`,
      )
    : []

function conformanceOn(server: MysqlOfRun, texts: MysqlTexts | undefined): void {
  const { name, database = server.collation } = texts ?? {}
  const { columns = [database] } = texts ?? {}
  const hasOthers = columns.some((each) => !each.startsWith('utf8mb4_'))
  adapterConformance(
    name === undefined ? server.name : `${server.name}, ${name}`,
    async () => {
      const url = await server.createDatabase('conformance')
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
          // One that a test before has closed may have ended since.
          const unless = ({ errno }: { readonly errno?: number }) => {
            if (errno !== unknownThread) throw new Error(`KILL: error ${errno}`)
          }
          for (const { id } of sessions) await client.run(`kill ${id}`).catch(unless)
        },
        remove: async () => {
          await fixture.close()
          await client.close()
        },
      }
    },
    {
      refused: new Set([
        ...refusedByMysql[server.vendor],
        ...(server.vendor === 'mariadb' && texts !== undefined ? refusedBySorts : []),
      ]),
      isRemote: true,
      ...(hasOthers ? { inapplicable: aboutUnicode } : {}),
    },
  )
}
