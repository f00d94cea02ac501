/**
 * @module The words in dates and times, except names of zones.
 * @see https://www.postgresql.org/docs/15/datetime-input-rules.html
 */

export type DateWord =
  | { readonly kind: 'month'; readonly number: number }
  | { readonly kind: 'weekday' }
  | { readonly kind: 'era'; readonly isBeforeChrist: boolean }
  | { readonly kind: 'meridiem'; readonly isAfternoon: boolean }
  | { readonly kind: 'infinity'; readonly text: 'infinity' | '-infinity' }
  | { readonly kind: 'epoch' }
  | { readonly kind: 'now' }
  | { readonly kind: 'day'; readonly fromToday: number }
  | { readonly kind: 'midnightUtc' }
  | { readonly kind: 'summerTime' }
  | { readonly kind: 'ignored' }
  | { readonly kind: 'timeFollows' }
  | { readonly kind: 'unit'; readonly unit: DateUnit }

/** What the number after the word is. */
export type DateUnit =
  | 'year'
  | 'month'
  | 'day'
  | 'hour'
  | 'minute'
  | 'second'
  | 'julian'
  /** Words of other functions, which no number may follow. */
  | 'other'

/** In the order of the year. */
const months =
  'jan january|feb february|mar march|apr april|may|jun june|jul july|aug august|sep sept september|oct october|nov november|dec december'
const weekdays =
  'sun sunday mon monday tue tues tuesday wed weds wednesday thu thur thurs thursday fri friday sat saturday'
const units: Readonly<Record<DateUnit, string>> = {
  year: 'y',
  month: 'm',
  day: 'd',
  hour: 'h',
  minute: 'mm',
  second: 's',
  julian: 'j jd julian',
  other: 'dow doy isodow isoyear',
}

function words(list: string, word: DateWord): readonly (readonly [string, DateWord])[] {
  return list.split(' ').map((text) => [text, word])
}

const known: ReadonlyMap<string, DateWord> = new Map([
  ...months.split('|').flatMap((names, i) => words(names, { kind: 'month', number: i + 1 })),
  ...words(weekdays, { kind: 'weekday' }),
  ...Object.entries(units).flatMap(([unit, names]) =>
    words(names, { kind: 'unit', unit: unit as DateUnit }),
  ),
  ...words('bc', { kind: 'era', isBeforeChrist: true }),
  ...words('ad', { kind: 'era', isBeforeChrist: false }),
  ...words('am', { kind: 'meridiem', isAfternoon: false }),
  ...words('pm', { kind: 'meridiem', isAfternoon: true }),
  ...words('infinity', { kind: 'infinity', text: 'infinity' }),
  ...words('-infinity', { kind: 'infinity', text: '-infinity' }),
  ...words('epoch', { kind: 'epoch' }),
  ...words('now', { kind: 'now' }),
  ...words('yesterday', { kind: 'day', fromToday: -1 }),
  ...words('today', { kind: 'day', fromToday: 0 }),
  ...words('tomorrow', { kind: 'day', fromToday: 1 }),
  ...words('allballs', { kind: 'midnightUtc' }),
  ...words('dst', { kind: 'summerTime' }),
  ...words('at on', { kind: 'ignored' }),
  ...words('t', { kind: 'timeFollows' }),
])

/** Words are compared by their first ten characters. */
export function dateWord(text: string): DateWord | undefined {
  return known.get(text.slice(0, 10))
}

export function isDateWord(text: string): boolean {
  return dateWord(text) !== undefined
}
