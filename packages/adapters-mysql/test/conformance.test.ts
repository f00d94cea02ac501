import { adapterConformance } from '@engine/adapter-conformance'
import { createMysqlFixture } from '@engine/fixtures'
import { createMysqlDatabase, describeMysql } from '@engine/test-databases/vitest'
import { connect } from '../src/index.ts'
import { openClient } from './support/client.ts'
import { refusedByMysql } from './support/refused-by-mysql.ts'

describeMysql('conformance', () => {
  adapterConformance(
    'MariaDB',
    async () => {
      const url = await createMysqlDatabase('conformance')
      const fixture = await createMysqlFixture(url)
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
    { refused: refusedByMysql, isRemote: true },
  )
})
