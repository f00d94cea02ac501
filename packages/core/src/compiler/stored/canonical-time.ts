/**
 * @module Converts dates and times of other databases to PostgreSQL's spelling. A text that is not a date or time is unchanged:
 * SQLite allows any text to be stored.
 */

/** `2024-01-15`; the time of day is cut off. */
export function dateText(text: string): string {
  if (text.length === 10) return text
  const moment = readMoment(text)
  return moment === undefined ? text : moment.date
}

/** `10:30:00.25`, without zeros at the end of the fraction; a date before it is cut off. */
export function timeText(text: string): string {
  if (text.length === 8) return text
  const parts = /^(\d{2}:\d{2})(:\d{2})?(\.\d+)?$/.exec(text)
  if (parts === null) return timeOfMoment(text)
  const [, minutes = '', seconds = ':00', fraction = ''] = parts
  return minutes + seconds + trimmed(fraction)
}

/** `2024-01-15 10:30:00.25`; an offset is left out, as PostgreSQL does on input. */
export function timestampText(text: string): string {
  if (isPlain(text, 19)) return text
  const moment = readMoment(text)
  return moment === undefined ? text : `${moment.date} ${moment.clock}${moment.fraction}`
}

/** `2024-01-15 10:30:00.25+00`: in UTC, which is also the default. */
export function timestamptzText(text: string): string {
  if (isPlain(text, 22) && text.endsWith('+00')) return text
  if (isPlain(text, 19)) return `${text}+00`
  const moment = readMoment(text)
  if (moment === undefined) return text
  const { date, clock } = moment.offsetMinutes === 0 ? moment : inUtc(moment)
  return `${date} ${clock}${moment.fraction}+00`
}

/** `2000-01-01 10:30:00`, as Rails writes a time into SQLite. */
function timeOfMoment(text: string): string {
  const moment = /^\S+[ T]\d/.test(text) ? readMoment(text) : undefined
  return moment === undefined ? text : moment.clock + moment.fraction
}

interface Moment {
  /** `2024-01-15` */
  readonly date: string
  /** `10:30:00` */
  readonly clock: string
  /** `.25` or empty. */
  readonly fraction: string
  readonly offsetMinutes: number
}

/** Is it `YYYY-MM-DD HH:MM:SS` (with `+00` when longer), the most frequent stored form? */
function isPlain(text: string, length: number): boolean {
  return text.length === length && text[10] === ' ' && text[16] === ':' && text[4] === '-'
}

const momentPattern =
  /^(\d{4,6}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(:\d{2})?(\.\d+)?)? ?(?:([+-])(\d{2}):?(\d{2})?|Z)?$/i

function readMoment(text: string): Moment | undefined {
  const parts = momentPattern.exec(text)
  if (parts === null) return undefined
  const [, date = '', minutes = '00:00', seconds = ':00', fraction = ''] = parts
  const [, , , , , sign, offsetHours = '0', offsetMinutes = '0'] = parts
  const offset = Number(offsetHours) * 60 + Number(offsetMinutes)
  return {
    date,
    clock: minutes + seconds,
    fraction: trimmed(fraction),
    offsetMinutes: sign === '-' ? -offset : offset,
  }
}

/** At most six digits, without zeros at the end. */
function trimmed(fraction: string): string {
  return fraction.slice(0, 7).replace(/\.?0+$/, '')
}

function inUtc({ date, clock, offsetMinutes }: Moment): { date: string; clock: string } {
  const local = Date.parse(`${date.padStart(10, '0')}T${clock}Z`)
  if (Number.isNaN(local)) return { date, clock }
  const iso = new Date(local - offsetMinutes * 60_000).toISOString()
  return { date: iso.slice(0, 10), clock: iso.slice(11, 19) }
}
