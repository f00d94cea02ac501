import { lateralJoins } from '@engine/adapter-conformance'
import { createMysqlDatabase, describeMysql } from '@engine/test-databases/vitest'
import { connect } from '../src/index.ts'
import { openClient } from './support/client.ts'

describeMysql('without LATERAL', () => {
  lateralJoins(
    'MariaDB',
    async () => {
      const url = await createMysqlDatabase('lateral')
      const client = await openClient(url)
      return {
        url,
        adapterPackage: '@engine/adapters-mysql',
        connect,
        run: async (sql) => void (await client.run(sql)),
        remove: () => client.close(),
      }
    },
    0.7,
  )
})
