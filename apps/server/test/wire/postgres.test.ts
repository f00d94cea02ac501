import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { createPostgresWireFixture } from '@engine/wire-clients'
import { describeClients } from '@engine/wire-clients/vitest'
import { afterAll, beforeAll } from 'vitest'
import { startWireServer, type WireServer } from './wire-server.ts'

describePostgres('clients of a server with PostgreSQL behind it', () => {
  let server: WireServer

  beforeAll(async () => {
    const url = await createDatabase('wire')
    await createPostgresWireFixture(url)
    server = await startWireServer('postgres', { url, schema: 'main' })
  })
  afterAll(async () => {
    await server?.stop()
  })

  describeClients({ server: 'engine', kind: 'postgres' }, () => server.target)
})
