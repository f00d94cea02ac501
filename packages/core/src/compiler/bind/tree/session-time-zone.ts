/** @module The time zone and the styles of a session, for binding and permissions. */
import type { Oid } from '../../sql-types/pg-type.ts'
import type { TypeSystem } from '../../sql-types/system/type-system.ts'
import type { StatementSettings } from './statement-settings.ts'

/** How a session reads and writes dates, times and intervals. */
export interface SessionTimeZone {
  /** Equal for sessions that read and compute alike. */
  readonly name: string
  /** The zone of words such as `today`, by PostgreSQL's name; undefined = UTC. */
  readonly readIn?: string | undefined
  /**
   * A text of the session as the engine reads it: in the order MDY, a timestamp with its offset. Values of other types stay as they are.
   *
   * @throws {GatewayError} `dataError` for a date that is none in the order of the session.
   */
  readonly withOffset: (typeOid: Oid, text: string, types: TypeSystem) => string
  /** The zone that the statement is computed in, by PostgreSQL's name; undefined = UTC. */
  readonly computedIn: string | undefined
  /** What dates and intervals become as text, and how texts become dates; undefined: as in `usualSettings`. */
  readonly styles?: SessionStyles | undefined
}

/** Styles of dates and intervals other than the usual ones. */
export interface SessionStyles {
  /** Those of a statement that turns dates or intervals into text, or text into dates. */
  readonly settings: StatementSettings
  /** Timestamps with time zone end with the abbreviation of the zone, which only a database knows. */
  readonly writesAbbreviations: boolean
}
