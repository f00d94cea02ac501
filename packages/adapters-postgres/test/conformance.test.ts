import { adapterConformance } from '@engine/adapter-conformance'
import { createPostgresFixture, resetPostgresFixture, restartSequences } from '@engine/fixtures'
import { describeEachPostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { connect } from '../src/index.ts'

describeEachPostgres('conformance', (server) => {
  const open = async () => {
    const url = await server.createDatabase('conformance')
    await createPostgresFixture(url)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    return {
      connection: { url, schema: 'main' },
      adapterPackage: '@engine/adapters-postgres',
      connect,
      kind: 'postgres' as const,
      cut: async () => {
        await client.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid()`,
        )
      },
      reset: async () => {
        await resetPostgresFixture(client)
        await restartSequences(client)
      },
      remove: () => client.end(),
    }
  }
  adapterConformance(server.name, open, { isRemote: true })
})
