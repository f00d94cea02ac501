import { GatewayError } from '../../../foundation/errors.ts'
import type { Connection } from '../../catalog/catalog.ts'
import { findTable } from '../../catalog/partitions.ts'
import { addressOfKey } from '../../catalog/shared-database.ts'
import { located, positioned } from '../../sql/bind-error.ts'
import type { CatalogView } from './context.ts'
import { tableNotFound } from './table-address.ts'

/** A view without restrictions: an administrator's. */
export function fullAccessView(connection: Connection): CatalogView {
  return {
    types: connection.types,
    table: (name, position) => {
      const table = findTable(connection, name)
      if (table === undefined) {
        const address = addressOfKey(connection, name)
        throw tableNotFound(address.connection, address.table, position)
      }
      return table
    },
    readable: () => 'all',
    writable: () => 'all',
    unknownColumn: ({ name, position }) =>
      new GatewayError('unknownColumn', located(`column "${name}" does not exist`, position), {
        sqlState: '42703',
        ...positioned(position),
      }),
  }
}
