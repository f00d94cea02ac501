/** @module Requests of every kind, as many clients send them together. */
import { statement } from '../planning/measure-alive.ts'

/** A request; `%n` in its body is replaced by another number each time. */
export interface MixedRequest {
  readonly title: string
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly body?: string
  /** Sent without the caller's credential. */
  readonly isAnonymous?: boolean
  /** A statement that takes long to plan. */
  readonly isPlan?: boolean
}

const sql = (text: string, params: readonly unknown[] = []): string =>
  JSON.stringify({ sql: text, params, method: 'all' })

const data = (title: string, text: string, params?: readonly unknown[]): MixedRequest => ({
  title,
  method: 'POST',
  path: '/data',
  body: sql(text, params),
})

const batch: MixedRequest = {
  title: 'a batch of 20',
  method: 'POST',
  path: '/data/batch',
  body: JSON.stringify({
    statements: Array.from({ length: 20 }, (_, i) => ({
      sql: 'select id, status from main.orders where id = $1',
      params: [7 + i * 10],
      method: 'all',
    })),
  }),
}

const point = data(
  'a point read',
  'select id, status, total_cents from main.orders where id = $1',
  [17],
)
const page = data(
  '100 rows',
  'select * from main.orders where id > $1 order by id limit 100',
  [100],
)
const groups = data(
  'sums by group',
  'select status, count(*), sum(total_cents) from main.orders group by status',
)
const insert = data('an insert', 'insert into main.notes (owner, body) values ($1, $2)', [
  'ada',
  'x',
])
const schema: MixedRequest = { title: 'the schema', method: 'GET', path: '/schema' }
const newPlan = data('a new statement', 'select id, %n as n from main.orders where id = 17')

/** Many short requests, and some of each other kind, refused ones among them: for memory. */
export const commonRequests: readonly MixedRequest[] = [
  ...Array.from({ length: 160 }, () => point),
  ...Array.from({ length: 40 }, () => insert),
  newPlan,
  newPlan,
  page,
  batch,
  schema,
  data('a refused column', 'select secret from main.orders'),
  data('a syntax error', 'select from where'),
  { ...point, title: 'no credential', isAnonymous: true },
  { title: 'the session', method: 'GET', path: '/auth/session' },
  { title: 'nothing there', method: 'GET', path: '/nothing/%n' },
]

const rows = 1_000

/** The requests that take longest, beside point reads: for stalls. */
export const heavyRequests: readonly MixedRequest[] = [
  point,
  page,
  groups,
  data('10 000 rows', 'select * from main.orders'),
  data(
    `an insert of ${rows} rows`,
    `insert into main.notes (owner, body) values ${Array.from({ length: rows }, (_, i) => `($1, $${i + 2})`).join(', ')}`,
    ['ada', ...Array.from({ length: rows }, (_, i) => `note ${i} ${'x'.repeat(150)}`)],
  ),
  batch,
  schema,
  {
    title: 'a sign-in',
    method: 'POST',
    path: '/auth/sign-in',
    body: JSON.stringify({ email: 'ada@example.com', password: 'wrong or right' }),
    isAnonymous: true,
  },
  ...Array.from({ length: 6 }, (_, i) => ({
    title: `a statement that takes long to plan (${i + 1})`,
    isPlan: true,
    method: 'POST' as const,
    path: '/data',
    body: sql(statement(i + 600_000).replaceAll(String(i + 600_000), '%n')),
  })),
]
