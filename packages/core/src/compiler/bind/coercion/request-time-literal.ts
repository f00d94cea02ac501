/** @module `'now'`, `'today'` and similar literals of dates and times that mean the request time. */
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

/** The request time that a literal of this type means, in UTC; undefined for every other text and type. */
export function requestTimeOfLiteral(
  { value, position }: Constant,
  oid: Oid,
): RequestTime | undefined {
  if (typeof value !== 'string') return undefined
  const word = value.trim().toLowerCase()
  const place = position === undefined ? {} : { position }
  const time = { kind: 'requestTime', type: { oid, typmod: -1 }, ...place } as const
  if (word === 'now' && (days.has(oid) || clocks.has(oid))) {
    return { ...time, offsetMs: 0, calendar: undefined }
  }
  const day = words.get(word)
  if (day === undefined || !days.has(oid)) return undefined
  const isToday = oid === oids.date && day === 0
  const calendar = isToday ? undefined : { startOfDay: true, months: 0 }
  return { ...time, offsetMs: day * dayMs, calendar }
}
