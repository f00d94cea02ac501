/** The schema of a database is changed by migrations while clients of several kinds read and write. */
import { createPgWireServer } from '@engine/pgwire'
import { wireClients } from '@engine/wire-clients'
import { expect, test, vi } from 'vitest'
import { describeDatabases } from '../support/databases.ts'
import { openGateway } from '../support/gateway.ts'
import { secret } from '../support/tokens.ts'
import { mysqlHistory } from './mysql-history.ts'
import { postgresHistory } from './postgres-history.ts'
import {
  batchClient,
  httpClient,
  masterKey,
  nodePostgresClient,
  postgresJsClient,
} from './probe-clients.ts'
import { jdbcClient, psycopgClient } from './program-client.ts'
import { runHistory } from './run-history.ts'
import { sqliteHistory } from './sqlite-history.ts'

// Waits for readings of the catalog: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 300_000 })

const histories = { postgres: postgresHistory, sqlite: sqliteHistory, mysql: mysqlHistory }

/** A clerk sees the rows of one customer, and the columns that are named here. */
const permissions = (columns: readonly string[]) => [
  {
    table: 'main.orders',
    roles: ['clerk'],
    select: { columns, where: { customer_id: '$user.customer' } },
    update: {
      columns: ['status'],
      where: { customer_id: '$user.customer' },
      check: { status: { $in: ['new'] } },
    },
  },
  {
    table: 'main.customers',
    roles: ['clerk'],
    select: { columns: ['id', 'name'], where: { id: '$user.customer' } },
  },
]

/** Without the driver there is no client; a build machine installs them. */
const isMissing = (name: string): boolean =>
  process.env['CI'] !== 'true' &&
  wireClients.find((client) => client.name === name)?.missing() !== undefined

describeDatabases('migrations under a running service', (open, kind) => {
  test('every answer is right for the schema before or after', async () => {
    const history = histories[kind]
    const database = await open(history.start)
    const columns = ['id', 'status', ...(kind === 'sqlite' ? [] : ['total'])]
    const gateway = await openGateway(
      {
        connections: { main: { url: database.url, schemaPolling: '200ms' } },
        auth: { secret },
        masterKey,
        service_db: ':memory:',
        pgWire: { port: 0, auth: { strategy: ['apiKey'] }, catalog: 'builtin' },
        permissions: permissions(columns),
      },
      { pgWire: createPgWireServer },
    )
    const { address } = await gateway.engine.startPgWire()
    const [host = '', port] = address.split(':')
    const wire = { host, port: Number(port), password: masterKey }
    const clients = [
      httpClient(gateway),
      batchClient(gateway),
      await nodePostgresClient(wire, false),
      await nodePostgresClient(wire, true),
      postgresJsClient(wire),
      ...(isMissing('psycopg 3') ? [] : [psycopgClient(wire)]),
      ...(isMissing('pgjdbc') ? [] : [jdbcClient(wire)]),
    ]
    try {
      const { faults, answers } = await runHistory(history, database.run, clients)
      expect(faults).toEqual([])
      expect(answers).toBeGreaterThan(history.migrations.length * 50)
    } finally {
      await Promise.all(clients.map((client) => client.close()))
      await gateway.close()
      await database.remove()
    }
  })
})
