import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { beforeAll } from 'vitest'
import { createPostgresWireFixture, type WireTarget } from '../src/index.ts'
import { describeClients } from '../src/vitest.ts'

const kind = { server: 'postgres', kind: 'postgres' } as const

/** A check that a real PostgreSQL does not pass is too strict. */
describePostgres('a real PostgreSQL', () => {
  let target: WireTarget

  beforeAll(async () => {
    const url = await createDatabase('wire_clients')
    await createPostgresWireFixture(url)
    const { hostname, port, username, password, pathname } = new URL(url)
    const [user, secret, database] = [username, password, pathname.slice(1)].map(decodeURIComponent)
    target = {
      host: hostname,
      port: Number(port),
      user: user ?? '',
      password: secret ?? '',
      database: database ?? '',
      ...kind,
    }
  })

  describeClients(kind, () => target)
})
