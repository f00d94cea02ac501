/** @module The time zone of a session, for binding and permissions. */
import type { Oid } from '../../sql-types/pg-type.ts'
import type { TypeSystem } from '../../sql-types/system/type-system.ts'

/** Reads timestamps without an offset, and names the zone for databases that can compute in it. */
export interface SessionTimeZone {
  /** Equal for zones with the same rules. */
  readonly name: string
  /** The zone of words such as `today`, by PostgreSQL's name; undefined = UTC. */
  readonly readIn?: string | undefined
  /** Adds the offset to timestamps that have none. Values of other types stay as they are. */
  readonly withOffset: (typeOid: Oid, text: string, types: TypeSystem) => string
  /** The zone that the statement is computed in, by PostgreSQL's name; undefined = UTC. */
  readonly computedIn: string | undefined
}
