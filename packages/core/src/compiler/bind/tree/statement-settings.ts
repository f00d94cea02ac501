/** @module The settings of a database's session while it runs one statement. */

/** PostgreSQL's settings on which the results of a statement depend, besides its values. */
export interface StatementSettings {
  /** `TimeZone`, by PostgreSQL's name. */
  readonly timeZone: string
  /** `DateStyle`: a style of the output, and an order of the input: `SQL, DMY`. */
  readonly dateStyle: string
  /** `IntervalStyle` */
  readonly intervalStyle: string
}

/** Every statement runs with these settings, unless its plan names others. */
export const usualSettings: StatementSettings = {
  timeZone: 'UTC',
  dateStyle: 'ISO, MDY',
  intervalStyle: 'postgres',
}

/** Are dates and intervals written in another style than the one in which the engine reads values? */
export function writesInStyle(settings: StatementSettings | undefined): boolean {
  if (settings === undefined) return false
  return !settings.dateStyle.startsWith('ISO') || settings.intervalStyle !== 'postgres'
}
