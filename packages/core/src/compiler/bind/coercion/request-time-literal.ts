/** @module `'now'`, `'today'` and similar literals of dates and times that mean the request time. */
import { parseArrayLiteral } from '../../sql-types/input/array-literal.ts'
import { dayNumber } from '../../sql-types/input/calendar.ts'
import { parseDateTime } from '../../sql-types/input/date-fields.ts'
import { type Oid, oids } from '../../sql-types/oids.ts'
import type { Constant, RequestTime } from '../tree/expression.ts'

const days: ReadonlySet<Oid> = new Set<Oid>([oids.date, oids.timestamp, oids.timestamptz])
const clocks: ReadonlySet<Oid> = new Set<Oid>([oids.time, oids.timetz])

const dayMs = 86_400_000

/** The words whose meaning depends on when they are read. */
const timeWord = /\b(?:now|today|tomorrow|yesterday)\b/i

/** Any midnight: words are read as if it were now. */
const midnightMs = Date.UTC(2000, 0, 1)

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
  if (typeof value !== 'string' || !timeWord.test(value)) return undefined
  const time = {
    kind: 'requestTime',
    type: { oid, typmod: -1 },
    ofTransaction: true,
    ...(position !== undefined && { position }),
    ...(zone !== undefined && { zone }),
  } as const
  const isNow = value.trim().toLowerCase() === 'now'
  if (isNow && (days.has(oid) || clocks.has(oid))) {
    return { ...time, offsetMs: 0, calendar: undefined }
  }
  const sinceToday = days.has(oid) ? sinceMidnight(value) : undefined
  if (sinceToday === undefined) return undefined
  const { day, ofDay, hasZone } = sinceToday
  if (oid === oids.date) {
    const calendar = day === 0 ? undefined : { startOfDay: true, months: 0 }
    return { ...time, offsetMs: day * dayMs, calendar }
  }
  if (hasZone && oid === oids.timestamptz) return undefined
  return { ...time, offsetMs: day * dayMs + ofDay, calendar: { startOfDay: true, months: 0 } }
}

interface SinceMidnight {
  /** Days after today. */
  readonly day: number
  /** Milliseconds of that day. */
  readonly ofDay: number
  /** The text names a zone. */
  readonly hasZone: boolean
}

/** `10:30 today`; undefined for a text that is no date of these words, or has fractions of milliseconds. */
function sinceMidnight(text: string): SinceMidnight | undefined {
  const fields = parseDateTime(text, { expected: 'date', nowMs: midnightMs })
  if (typeof fields === 'string' || fields.date === undefined) return undefined
  const day = dayNumber(fields.date) - midnightMs / dayMs
  const ofDay = fields.microseconds / 1000
  if (!Number.isInteger(ofDay) || /\bnow\b/i.test(text)) return undefined
  return { day, ofDay, hasZone: fields.offsetSeconds !== undefined }
}

/**
 * `{today,NULL}` of dates → its elements as literals; undefined for a text without such words, and for one of several dimensions.
 *
 * @param delimiter of the elements
 */
export function timeWordsOfArray(
  { value, position }: Constant,
  elementOid: Oid | undefined,
  delimiter: string,
): readonly Constant[] | undefined {
  if (typeof value !== 'string' || !timeWord.test(value)) return undefined
  if (elementOid === undefined || !(days.has(elementOid) || clocks.has(elementOid)))
    return undefined
  const shape = parseArrayLiteral(value, delimiter)
  if (shape?.dimensions.length !== 1) return undefined
  return shape.elements.map((element) => ({
    kind: 'constant',
    type: { oid: oids.unknown, typmod: -1 },
    value: typeof element === 'string' ? element : null,
    ...(position !== undefined && { position }),
  }))
}
