import { adapterConformance } from '@engine/adapter-conformance'
import { createPostgresFixture, resetPostgresFixture, restartSequences } from '@engine/fixtures'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { connect } from '../src/index.ts'

describePostgres('conformance', () => {
  adapterConformance('PostgreSQL', async () => {
    const url = await createDatabase('conformance')
    await createPostgresFixture(url)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    return {
      connection: { url, schema: 'main' },
      adapterPackage: '@engine/adapters-postgres',
      connect,
      kind: 'postgres',
      reset: async () => {
        await resetPostgresFixture(client)
        await restartSequences(client)
      },
      remove: () => client.end(),
    }
  })
})
