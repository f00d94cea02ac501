import { createDrizzleDriver } from '@engine/client/drizzle'
import { drizzle as drizzleDirect } from 'drizzle-orm/node-postgres'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle as drizzleThroughGateway } from 'drizzle-orm/pg-proxy'
import type pg from 'pg'
import { withWireTypes } from '../direct.ts'
import { clientOf, type Gateway } from '../gateway.ts'
import { type DefineProgram, programsOn } from '../program.ts'
import * as relations from './relations.ts'
import * as tables from './schema.ts'
import * as scratchTables from './scratch-schema.ts'

const schema = { ...tables, ...scratchTables, ...relations }

/** The methods of every Drizzle 0.45 database for PostgreSQL, with any driver. */
export type Db = PgDatabase<PgQueryResultHKT, typeof schema>

/** Drizzle on a direct connection. */
export function directDb(pool: pg.Pool): Db {
  return drizzleDirect({ client: withWireTypes(pool), schema })
}

/** Drizzle through `POST /data`. */
export function gatewayDb(gateway: Gateway): Db {
  const { callback } = createDrizzleDriver(clientOf(gateway))
  return drizzleThroughGateway(callback, { schema })
}

const definers = programsOn<Db>()

/** Defines a program that only reads. */
export const read: DefineProgram<Db> = definers.read
/** Defines a program that changes the scratch tables. */
export const write: DefineProgram<Db> = definers.write
