import type { DatabaseTraits } from '@engine/core/adapter'

/** The traits that MariaDB and MySQL share. What differs between them is in `server/server-traits.ts`. */
export const mysqlTraits: DatabaseTraits = { oneStateIsolation: 'serializable' }
