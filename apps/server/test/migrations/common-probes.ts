/** @module Probes whose answers are the same on several databases. */
import type { Probe } from './migration.ts'

/** Of tables and changes that every history has. */
export const commonProbes: readonly Probe[] = [
  {
    name: 'a stable read',
    sql: 'select id, customer_id from main.orders where id = $1',
    params: ['1'],
    answers: { start: [['1', '1']] },
  },
  {
    name: 'all columns',
    sql: 'select * from main.customers where id = 1',
    answers: { start: [['1', 'Ada', '17', '36']] },
  },
  {
    name: 'a new column',
    sql: 'select id, discount from main.orders order by id',
    answers: {
      start: 'refused',
      'Prisma: add a column': [
        ['1', '5'],
        ['2', '5'],
      ],
      'drizzle: drop a column': 'refused',
      'drizzle: the column again as text': [
        ['1', 'none'],
        ['2', 'none'],
      ],
    },
  },
  {
    name: 'the old column',
    sql: 'select sum(quantity) from main.orders',
    answers: { start: [['3']], 'Rails: rename a column': 'refused' },
  },
  {
    name: 'the renamed column',
    sql: 'select id, amount from main.orders where amount >= $1',
    params: ['2'],
    answers: { start: 'refused', 'Rails: rename a column': [['1', '2']] },
  },
  {
    name: 'a text that becomes a number',
    sql: 'select id, code from main.customers where code = $1',
    params: ['17'],
    answers: { start: [['1', '17']] },
  },
  {
    name: 'a number compared',
    sql: 'select id from main.customers where code > 20',
    answers: { start: 'refused', 'Prisma: text to integer': [['2']] },
  },
  {
    name: 'a new table',
    sql: 'select body from main.shop_note',
    answers: {
      start: 'refused',
      'Django: create a table': [['hello']],
      'Rails: rename a table': 'refused',
    },
  },
  {
    name: 'a renamed table',
    sql: 'select n.body from main.orders o join main.remarks n on n.order_id = o.id',
    answers: {
      start: 'refused',
      'Rails: rename a table': [['hello']],
      'by hand: two columns change names': [['T']],
      'Rails: drop a table': 'refused',
    },
  },
  {
    name: 'own rows',
    sql: 'select id, total from main.orders order by id',
    caller: 'clerk',
    answers: { start: [['1', '10.50']], 'Django: wider decimal': [['1', '10.5000']] },
  },
  {
    name: 'a column that no permission names',
    sql: 'select discount from main.orders order by id',
    caller: 'clerk',
    answers: { start: 'refused' },
  },
  {
    name: 'the columns of a permission',
    sql: 'select * from main.customers order by id',
    caller: 'clerk',
    answers: { start: [['1', 'Ada']] },
  },
  {
    name: 'a write of own rows',
    sql: 'update main.orders set status = $1 where id < $2 returning id, status',
    params: ['new', '10'],
    caller: 'clerk',
    answers: { start: [['1', 'new']] },
  },
]

/** Of columns that SQLite does not have: its numbers have no length. */
export const numberProbes: readonly Probe[] = [
  {
    name: 'the renamed column beyond integer',
    sql: 'select id from main.orders where amount < $1 order by id',
    params: ['5000000000'],
    answers: { start: 'refused', 'Django: integer to bigint': [['1'], ['2']] },
  },
  {
    name: 'a number that becomes a text',
    sql: 'select ref from main.orders where ref = $1',
    params: ['7000000000'],
    answers: { start: [['7000000000']] },
  },
  {
    name: 'a decimal',
    sql: 'select total from main.orders where id = 1',
    answers: { start: [['10.50']], 'Django: wider decimal': [['10.5000']] },
  },
]

/** Probes of one database after those of several; one of the same name replaces the common one. */
export function withCommon(
  own: readonly Probe[],
  ...lists: readonly (readonly Probe[])[]
): readonly Probe[] {
  const names = new Set(own.map(({ name }) => name))
  return [...lists.flat().filter(({ name }) => !names.has(name)), ...own]
}
