/** @module The time zone of a session, as binding and permissions know it. */
import type { Oid } from '../../sql-types/pg-type.ts'
import type { TypeSystem } from '../../sql-types/system/type-system.ts'

/** Reads timestamps without an offset, and names the zone for databases that can compute what depends on it. */
export interface SessionTimeZone {
  /** Equal for zones that read alike. */
  readonly name: string
  /** Adds the offset to moments that have none. Values of other types stay as they are. */
  readonly withOffset: (typeOid: Oid, text: string, types: TypeSystem) => string
  /** What the statement is computed in, as PostgreSQL names it; undefined = UTC. */
  readonly computedIn: string | undefined
}
