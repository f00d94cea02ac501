/** @module The table with types that only PostgreSQL has. */
import { sql } from 'drizzle-orm-v1'
import {
  bit,
  boolean,
  cidr,
  customType,
  date,
  doublePrecision,
  inet,
  integer,
  interval,
  numeric,
  point,
  real,
  text,
  time,
  timestamp,
} from 'drizzle-orm-v1/pg-core'
import { main } from './schema.ts'

/** A type that Drizzle does not know, read and written as PostgreSQL's text. */
const asText = (type: string) => customType<{ data: string }>({ dataType: () => type })

export const mood = main.enum('mood', ['sad', 'ok', 'happy'])

export const pgOnly = main.table('pg_only', {
  id: integer('id').primaryKey().generatedByDefaultAsIdentity(),
  label: text('label').notNull(),
  numbers: integer('numbers').array(),
  names: text('names').array(),
  amounts: numeric('amounts', { precision: 10, scale: 2 }).array(),
  flags: boolean('flags').array(),
  days: date('days').array(),
  stamps: timestamp('stamps', { mode: 'string' }).array(),
  grid: integer('grid').array('[][]'),
  currentMood: mood('current_mood'),
  moods: mood('moods').array(),
  positive: integer('positive'),
  anyNumeric: numeric('any_numeric'),
  f4: real('f4'),
  f8: doublePrecision('f8'),
  span: interval('span'),
  clock: time('clock', { withTimezone: true }),
  address: inet('address'),
  network: cidr('network'),
  bits: bit('bits', { dimensions: 4 }),
  stamp: timestamp('stamp', { withTimezone: true, mode: 'string' }),
  document: asText('xml')('document'),
  home: asText('address')('home'),
  spot: point('spot', { mode: 'xy' }),
  during: asText('int4range')('during'),
  stampAny: timestamp('stamp_any', { mode: 'string' }),
  computed: integer('computed').generatedAlwaysAs(sql`id * 2`),
})

export const countryCounts = main
  .materializedView('country_counts', { country: text('country'), n: integer('n') })
  .existing()
