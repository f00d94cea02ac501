import { lateralJoins } from '@engine/adapter-conformance'
import { describeEachMysql } from '@engine/test-databases/vitest'
import { connect } from '../src/index.ts'
import { openClient } from './support/client.ts'

describeEachMysql('lateral joins', (server) => {
  lateralJoins(
    server.name,
    async () => {
      const url = await server.createDatabase('lateral')
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
