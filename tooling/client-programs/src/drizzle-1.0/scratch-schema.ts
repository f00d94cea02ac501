/** @module The tables that hold samples of every type, and those that programs write to. */
import { sql } from 'drizzle-orm-v1'
import {
  bigint,
  boolean,
  bytea,
  char,
  date,
  doublePrecision,
  integer,
  json,
  jsonb,
  numeric,
  smallint,
  text,
  time,
  timestamp,
  uuid,
  varchar,
} from 'drizzle-orm-v1/pg-core'
import { id, main } from './schema.ts'

/** One column of every portable type; values decoded as far as Drizzle can. */
export const typeSamples = main.table('type_samples', {
  id: id(),
  label: text('label').notNull(),
  int2: smallint('c_int2'),
  int4: integer('c_int4'),
  int8: bigint('c_int8', { mode: 'bigint' }),
  numeric: numeric('c_numeric', { precision: 12, scale: 4 }),
  float8: doublePrecision('c_float8'),
  bool: boolean('c_bool'),
  text: text('c_text'),
  varchar: varchar('c_varchar', { length: 20 }),
  char: char('c_char', { length: 5 }),
  uuid: uuid('c_uuid'),
  date: date('c_date', { mode: 'date' }),
  time: time('c_time'),
  timestamp: timestamp('c_timestamp'),
  timestamptz: timestamp('c_timestamptz', { withTimezone: true }),
  bytea: bytea('c_bytea'),
  json: json('c_json'),
  jsonb: jsonb('c_jsonb'),
})

/** The same table in the other modes: dates as strings, numbers where digits may be lost. */
export const plainSamples = main.table('type_samples', {
  id: id(),
  label: text('label').notNull(),
  int8: bigint('c_int8', { mode: 'string' }),
  numeric: numeric('c_numeric', { precision: 12, scale: 4, mode: 'number' }),
  date: date('c_date', { mode: 'string' }),
  timestamp: timestamp('c_timestamp', { mode: 'string' }),
  timestamptz: timestamp('c_timestamptz', { withTimezone: true, mode: 'string' }),
})

/** A table to write to, with a default on some columns. */
export const scratch = main.table('scratch', {
  id: id(),
  name: text('name').notNull(),
  note: text('note'),
  amount: numeric('amount', { precision: 10, scale: 2 }),
  flag: boolean('flag').notNull().default(true),
  n: integer('n').notNull().default(7),
  small: smallint('small'),
  big: bigint('big', { mode: 'bigint' }),
  ratio: doublePrecision('ratio'),
  code: varchar('code', { length: 10 }),
  day: date('day'),
  at: timestamp('at'),
  seenAt: timestamp('seen_at', { withTimezone: true }),
  data: jsonb('data'),
  bytes: bytea('bytes'),
})

/** The scratch table in the other modes, with values that the client computes. */
export const scratchModes = main.table('scratch', {
  id: id(),
  name: text('name')
    .notNull()
    .$defaultFn(() => 'made by the client'),
  note: text('note').$onUpdateFn(() => 'touched'),
  amount: numeric('amount', { precision: 10, scale: 2, mode: 'number' }),
  big: bigint('big', { mode: 'number' }),
  day: date('day', { mode: 'date' }),
  at: timestamp('at', { mode: 'string' }),
  seenAt: timestamp('seen_at', { withTimezone: true, mode: 'string' }),
})

export const counters = main.table('counters', {
  key: text('key').primaryKey(),
  n: integer('n').notNull().default(0),
  updatedAt: timestamp('updated_at'),
})

export const memberships = main.table('memberships', {
  id: id(),
  team: text('team').notNull(),
  member: text('member').notNull(),
  role: text('role').notNull().default('member'),
  points: integer('points').notNull().default(0),
  email: varchar('email', { length: 80 }).unique(),
})

export const stock = main.table('stock', {
  code: varchar('code', { length: 12 }).primaryKey(),
  quantity: integer('quantity').notNull().default(0),
  price: numeric('price', { precision: 10, scale: 2 }).notNull().default('0'),
  countedOn: date('counted_on'),
})

export const settings = main.table('settings', {
  id: id(),
  name: text('name').notNull().default('unnamed'),
  level: smallint('level').notNull().default(3),
  enabled: boolean('enabled').notNull().default(true),
  ratio: numeric('ratio', { precision: 6, scale: 3 }).notNull().default('1.5'),
  startsOn: date('starts_on').default('2024-01-01'),
  data: jsonb('data').default(sql`'{"theme": "light"}'`),
  comment: text('comment'),
})

export const folders = main.table('folders', {
  id: id(),
  name: text('name').notNull(),
  parentId: integer('parent_id'),
})

export const oddNames = main.table('odd names', {
  id: id(),
  select: text('select'),
  order: integer('order'),
  camelCase: text('CamelCase'),
  withSpace: text('with space'),
  dotted: text('dotted.name'),
  quoted: text('quote"d'),
  accented: text('ünïcode'),
})
