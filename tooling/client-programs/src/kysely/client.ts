import { engineDialect } from '@engine/client/kysely'
import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { clientOf, type Gateway } from '../gateway.ts'
import { type DefineProgram, programsOn } from '../program.ts'
import type { Database } from './database.ts'

export type Db = Kysely<Database>

/** Kysely on a direct connection; tables are found in the schema with the connection's name. */
export function directDb(pool: pg.Pool): Db {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }).withSchema('main')
}

/** Kysely through `POST /data`. */
export function gatewayDb(gateway: Gateway): Db {
  return new Kysely<Database>({ dialect: engineDialect(clientOf(gateway)) }).withSchema('main')
}

const definers = programsOn<Db>()

/** Defines a program that only reads. */
export const read: DefineProgram<Db> = definers.read
/** Defines a program that changes the scratch tables. */
export const write: DefineProgram<Db> = definers.write
