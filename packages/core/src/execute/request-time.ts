import { oids } from '../sql-types/oids.ts'

/**
 * A moment in PostgreSQL's text for a date or time type, in UTC, fraction trimmed: `2024-01-15 10:30:00.25+00`.
 *
 * @param momentMs milliseconds since 1970.
 */
export function momentText(momentMs: number, oid: number): string {
  const iso = new Date(momentMs).toISOString()
  const date = iso.slice(0, 10)
  const clock = iso.slice(11, 19) + iso.slice(19, 23).replace(/\.?0+$/, '')
  switch (oid) {
    case oids.date:
      return date
    case oids.time:
      return clock
    case oids.timetz:
      return `${clock}+00`
    case oids.timestamp:
      return `${date} ${clock}`
    case oids.timestamptz:
      return `${date} ${clock}+00`
    default:
      throw new Error(`a moment has no text in type ${oid}`)
  }
}
