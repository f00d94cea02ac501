import { createDrizzleDriver, engineCodecs } from '@engine/client/drizzle'
import { drizzle as drizzleDirect, nodePgCodecs } from 'drizzle-orm-v1/node-postgres'
import type { PgAsyncDatabase, PgQueryResultHKT } from 'drizzle-orm-v1/pg-core'
import { drizzle as drizzleThroughGateway } from 'drizzle-orm-v1/pg-proxy'
import pg from 'pg'
import { withWireTypes } from '../direct.ts'
import { clientOf, type Gateway } from '../gateway.ts'
import { type DefineProgram, programsOn } from '../program.ts'
import { wireTypes } from '../wire-types.ts'
import { relations } from './relations.ts'

/** The methods of every Drizzle 1.0 database for PostgreSQL, with any driver. */
export type Db = PgAsyncDatabase<PgQueryResultHKT, typeof relations>

/** Drizzle on a direct connection. */
export function directDb(pool: pg.Pool): Db {
  return drizzleDirect({ client: withWireTypes(pool, typesWithBuffers), relations })
}

/** Bytes as node-postgres gives them: `engineCodecs` makes the same of them. */
const typesWithBuffers: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    oid === pg.types.builtins.BYTEA
      ? (text: string) => Buffer.from(text.slice(2), 'hex')
      : wireTypes.getTypeParser(oid, format),
}

/** Drizzle through `POST /data`; without the codecs it would return wire values without decoding. */
export function gatewayDb(gateway: Gateway): Db {
  const { callback } = createDrizzleDriver(clientOf(gateway))
  return drizzleThroughGateway(callback, { relations, codecs: engineCodecs(nodePgCodecs) })
}

const definers = programsOn<Db>()

/** Defines a program that only reads. */
export const read: DefineProgram<Db> = definers.read
/** Defines a program that changes the scratch tables. */
export const write: DefineProgram<Db> = definers.write
