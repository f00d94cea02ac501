/** @module `'now'`, `'today'` and similar literals of dates and times that mean the request time. */
import { parseDateTime } from '../../sql-types/input/date-fields.ts'
import { type Oid, oids } from '../../sql-types/oids.ts'
import type { Constant, RequestTime } from '../tree/expression.ts'

/** Days from today. */
const words: ReadonlyMap<string, number> = new Map([
  ['today', 0],
  ['tomorrow', 1],
  ['yesterday', -1],
])

const days: ReadonlySet<Oid> = new Set<Oid>([oids.date, oids.timestamp, oids.timestamptz])
const clocks: ReadonlySet<Oid> = new Set<Oid>([oids.time, oids.timetz])

const dayMs = 86_400_000

/**
 * The request time that a literal of this type means; undefined for every other text and type. `today 10:00` is a time of that day.
 *
 * @param zone the zone of the session by PostgreSQL's name; undefined = UTC
 */
export function requestTimeOfLiteral(
  { value, position }: Constant,
  oid: Oid,
  zone?: string,
): RequestTime | undefined {
  if (typeof value !== 'string') return undefined
  const [, word = '', clock] = /^\s*([a-z]+)(?:\s+(\S.*?))?\s*$/i.exec(value) ?? []
  const name = word.toLowerCase()
  const time = {
    kind: 'requestTime',
    type: { oid, typmod: -1 },
    ...(position !== undefined && { position }),
    ...(zone !== undefined && { zone }),
  } as const
  if (name === 'now' && clock === undefined && (days.has(oid) || clocks.has(oid))) {
    return { ...time, offsetMs: 0, calendar: undefined }
  }
  const day = words.get(name)
  const ofDay = clock === undefined ? 0 : millisecondsOf(clock)
  if (day === undefined || ofDay === undefined || !days.has(oid)) return undefined
  const isToday = oid === oids.date && day === 0
  const calendar = isToday ? undefined : { startOfDay: true, months: 0 }
  return { ...time, offsetMs: day * dayMs + (oid === oids.date ? 0 : ofDay), calendar }
}

/** Undefined for a text that is no time of day, names a zone or has fractions of milliseconds. */
function millisecondsOf(clock: string): number | undefined {
  const fields = parseDateTime(clock, { expected: 'time' })
  if (typeof fields === 'string' || fields.offsetSeconds !== undefined) return undefined
  const ms = fields.microseconds / 1000
  return Number.isInteger(ms) ? ms : undefined
}
