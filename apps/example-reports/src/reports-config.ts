/** @module The configuration of the reports: a folder of CSV files, without telephone numbers, for psql on this machine. */
import { join } from 'node:path'
import { type ConfigFile, defineConfig } from '@engine/server'

const exports = join(import.meta.dirname, '..', 'exports')

/** @param pgWirePort 0 takes a free port. */
export function reportsConfig(pgWirePort: number): ConfigFile {
  return defineConfig({
    connections: {
      files: { directory: exports, tables: { orders: { types: { total: 'numeric(10,2)' } } } },
    },
    // Nobody is asked for a password, on loopback only: who reaches the port is `anonymous`.
    pgWire: { port: pgWirePort, auth: { strategy: ['trust'] } },
    permissions: {
      orders: { table: 'files.orders', roles: ['anonymous'], select: {} },
      customers: {
        table: 'files.customers',
        roles: ['anonymous'],
        select: { columns: ['id', 'name', 'country'] },
      },
    },
  })
}
