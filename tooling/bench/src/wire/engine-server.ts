/** @module A process that serves `bench.notes` by the wire protocol. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '@engine/adapters-postgres'
import { serviceDatabase } from '@engine/adapters-sqlite'
import { silentLog } from '@engine/core'
import { createGateway } from '@engine/http'
import { createPgWireServer } from '@engine/pgwire'
import { answerParent } from '../load/serve-parent.ts'

const [url = '', secret = '', poolSize = '16'] = process.argv.slice(2)
const home = mkdtempSync(join(tmpdir(), 'engine-bench-wire-'))
const gateway = await createGateway(
  {
    connections: { bench: { url, schema: 'bench', pool: { max: Number(poolSize) } } },
    service_db: join(home, 'engine.db'),
    auth: { secret },
    limits: { maxQueued: 20_000 },
    pgWire: { port: 0, auth: { strategy: ['jwt'] }, maxConnections: 20_000 },
    permissions: [
      {
        table: 'bench.notes',
        roles: ['customer'],
        select: { where: { tenant_id: '$user.tenant_id' } },
      },
    ],
  },
  {
    adapters: { '@engine/adapters-postgres': connect },
    serviceDatabases: { '@engine/adapters-sqlite': serviceDatabase },
    pgWire: createPgWireServer,
    isDevelopment: false,
    log: silentLog,
  },
)
const { address, close } = await gateway.engine.startPgWire()
answerParent(Number(address.split(':').at(-1)), async () => {
  await close(0)
  await gateway.close()
  rmSync(home, { recursive: true })
})
