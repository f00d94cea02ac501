import { and, eq, gt, gte, inArray, isNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'
import { customers, employees, orders, products } from '../schema.ts'
import { plainSamples, typeSamples } from '../scratch-schema.ts'

const labels = (db: Db, where: SQL | undefined) =>
  db.select({ label: typeSamples.label }).from(typeSamples).where(where).orderBy(typeSamples.id)

const echo = (db: Db, fields: Record<string, SQL>) =>
  db.select(fields).from(employees).where(eq(employees.id, 1))

/** Every type in every mode, and parameters with edge values. */
export const values: readonly Program<Db>[] = [
  read('every type, decoded', (db) => db.select().from(typeSamples).orderBy(typeSamples.id)),
  read('every type in the other modes', (db) =>
    db.select().from(plainSamples).orderBy(plainSamples.id),
  ),
  read('every type as it comes from the wire', (db) =>
    db.execute(sql`select * from main.type_samples order by id`),
  ),
  read('every type inside json', (db) =>
    db
      .select({
        row: sql`json_build_array(${typeSamples.int2}, ${typeSamples.int4}, ${typeSamples.bool}, ${typeSamples.text}, ${typeSamples.varchar}, ${typeSamples.uuid}, ${typeSamples.date}, ${typeSamples.timestamp}, ${typeSamples.timestamptz}, ${typeSamples.jsonb})`,
      })
      .from(typeSamples)
      .orderBy(typeSamples.id),
  ),
  read('every type as text', (db) =>
    db
      .select({
        int8: sql<string>`${typeSamples.int8}::text`,
        numeric: sql<string>`${typeSamples.numeric}::text`,
        bool: sql<string>`${typeSamples.bool}::text`,
        uuid: sql<string>`${typeSamples.uuid}::text`,
        date: sql<string>`${typeSamples.date}::text`,
        timestamp: sql<string>`${typeSamples.timestamp}::text`,
      })
      .from(typeSamples)
      .orderBy(typeSamples.id),
  ),
  read('minimum and maximum of every ordered type', (db) =>
    db
      .select({
        int8: sql`max(${typeSamples.int8})`.mapWith(typeSamples.int8),
        numeric: sql`min(${typeSamples.numeric})`.mapWith(typeSamples.numeric),
        text: sql`max(${typeSamples.text})`.mapWith(typeSamples.text),
        date: sql`min(${typeSamples.date})`.mapWith(typeSamples.date),
        time: sql`max(${typeSamples.time})`.mapWith(typeSamples.time),
        timestamp: sql`max(${typeSamples.timestamp})`.mapWith(typeSamples.timestamp),
      })
      .from(typeSamples),
  ),
  read('equal to a bigint beyond 2^53', (db) =>
    labels(db, eq(typeSamples.int8, 9007199254740993n)),
  ),
  read('at least the largest bigint', (db) =>
    labels(db, gte(typeSamples.int8, 9223372036854775807n)),
  ),
  read('equal to a negative numeric', (db) => labels(db, eq(typeSamples.numeric, '-2.5'))),
  read('a numeric with more digits than the column', (db) =>
    labels(db, lt(typeSamples.numeric, '0.10000000000000000001')),
  ),
  read('equal to a float', (db) => labels(db, eq(typeSamples.float8, 0.1 + 0.2))),
  read('greater than a very small float', (db) => labels(db, gt(typeSamples.float8, 1e-7))),
  read('equal to a uuid written in capitals', (db) =>
    labels(db, eq(typeSamples.uuid, 'AAAAAAAA-AAAA-4AAA-8AAA-AAAAAAAAAAAA')),
  ),
  read('equal to a date', (db) => labels(db, eq(typeSamples.date, new Date('2024-02-29')))),
  read('before a date given as text', (db) => labels(db, lt(plainSamples.date, '1970-01-01'))),
  read('equal to a timestamp with milliseconds', (db) =>
    labels(db, eq(typeSamples.timestamp, new Date('2024-03-31T10:30:00.123Z'))),
  ),
  read('equal to a timestamp with microseconds given as text', (db) =>
    labels(db, eq(plainSamples.timestamp, '2024-12-30 10:30:00.123456')),
  ),
  read('equal to a timestamp with a zone', (db) =>
    labels(db, eq(typeSamples.timestamptz, new Date('2024-01-31T10:30:00.250Z'))),
  ),
  read('a timestamp with a zone written in another zone', (db) =>
    labels(db, eq(plainSamples.timestamptz, '2024-02-29 05:30:00-05')),
  ),
  read('between two moments, around a change of the clocks', (db) =>
    labels(
      db,
      and(
        gte(typeSamples.timestamp, new Date('2024-03-10T02:30:00Z')),
        lte(typeSamples.timestamptz, new Date('2024-11-03T06:30:00Z')),
      ),
    ),
  ),
  read('equal to a time', (db) => labels(db, eq(typeSamples.time, '10:30:00.25'))),
  read('equal to bytes', (db) =>
    labels(db, eq(typeSamples.bytea, Buffer.from([0xde, 0xad, 0xbe, 0xef]))),
  ),
  read('equal to an empty run of bytes', (db) =>
    labels(db, eq(typeSamples.bytea, Buffer.alloc(0))),
  ),
  read('a padded text against a shorter one', (db) => labels(db, eq(typeSamples.char, 'x'))),
  read('equal to json', (db) =>
    labels(db, eq(typeSamples.jsonb, { a: { b: { c: [1, 2, { d: 'e' }] } } })),
  ),
  read('equal to a json text', (db) => labels(db, eq(typeSamples.jsonb, 'text'))),
  read('one of several bigints', (db) =>
    labels(db, inArray(typeSamples.int8, [0n, -1n, 9007199254740993n])),
  ),
  read('one of several dates', (db) =>
    labels(db, inArray(typeSamples.date, [new Date('2000-01-01'), new Date('1970-01-01')])),
  ),
  read('true or unknown', (db) =>
    labels(db, or(eq(typeSamples.bool, true), isNull(typeSamples.bool))),
  ),
  read('texts that need care in a parameter', (db) =>
    labels(
      db,
      inArray(typeSamples.text, [
        '',
        `it's "quoted"`,
        'a\\b\\',
        '😀',
        'tab\tnewline\nreturn\r',
        'null',
      ]),
    ),
  ),
  read('a text that looks like SQL', (db) =>
    labels(db, eq(typeSamples.text, "'; drop table main.tags; --")),
  ),
  read('a very long text', (db) => labels(db, eq(typeSamples.text, 'x'.repeat(50_000)))),
  read('texts echoed', (db) =>
    echo(db, {
      empty: sql`${''}::text`,
      blank: sql`${' '}::text`,
      quote: sql`${`'"\``}::text`,
      dollar: sql`${'$1 $$ ?'}::text`,
      accent: sql`${'é e\u0301 ß İ'}::text`,
      astral: sql`${'😀𝔘'}::text`,
      control: sql`${'\t\n\r\u0001\u007f'}::text`,
      percent: sql`${'100%'}::text`,
    }),
  ),
  read('numbers echoed', (db) =>
    echo(db, {
      zero: sql`${0}::int`,
      negative: sql`${-1}::int`,
      largest: sql`${2147483647}::int`,
      big: sql`${9007199254740993n}::bigint`,
      numeric: sql`${'1.50'}::numeric`,
      scientific: sql`${1e-7}::double precision`,
      float: sql`${0.1}::double precision`,
      huge: sql`${1e300}::double precision`,
    }),
  ),
  read('booleans and nulls echoed', (db) =>
    echo(db, {
      yes: sql`${true}::boolean`,
      no: sql`${false}::boolean`,
      nothing: sql`${null}::int`,
      noText: sql`${null}::text`,
    }),
  ),
  read('dates echoed', (db) =>
    echo(db, {
      timestamp: sql`${new Date('2024-07-04T12:34:56.789Z')}::timestamp`,
      timestamptz: sql`${new Date('2024-07-04T12:34:56.789Z')}::timestamptz`,
      date: sql`${'2024-02-29'}::date`,
      time: sql`${'23:59:59.5'}::time`,
    }),
  ),
  read('json echoed', (db) =>
    echo(db, {
      object: sql`${'{"b": [1, 2.50, null], "a": "é"}'}::jsonb`,
      text: sql`${'"x"'}::jsonb`,
      number: sql`${'12.5'}::jsonb`,
    }),
  ),
  read('a Date in a hand-written filter', (db) =>
    db
      .select({ id: orders.id })
      .from(orders)
      .where(sql`${orders.orderDate} > ${new Date('2024-10-01T00:00:00Z')}`)
      .orderBy(orders.id),
  ),
  read('Dates around midnight in a filter', (db) =>
    db
      .select({ id: customers.id, at: customers.createdAt })
      .from(customers)
      .where(
        and(
          gte(customers.createdAt, new Date('2020-01-31T00:00:00Z')),
          lt(customers.createdAt, new Date('2020-02-01T00:00:00Z')),
        ),
      )
      .orderBy(customers.id),
  ),
  read('a uuid column', (db) =>
    db
      .select({ id: products.id, key: products.externalId })
      .from(products)
      .where(gt(products.externalId, '80000000-0000-0000-0000-000000000000'))
      .orderBy(products.externalId),
  ),
]
