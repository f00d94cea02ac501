import { eq, gt, type SQL, sql } from 'drizzle-orm'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'
import { employees, products } from '../schema.ts'
import { plainSamples, typeSamples } from '../scratch-schema.ts'

const labels = (db: Db, where: SQL | undefined) =>
  db.select({ label: typeSamples.label }).from(typeSamples).where(where).orderBy(typeSamples.id)

const echo = (db: Db, fields: Record<string, SQL>) =>
  db.select(fields).from(employees).where(eq(employees.id, 1))

/** Every type in every mode, and parameters with edge values. */
export const values: readonly Program<Db>[] = [
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
  read('equal to a bigint beyond 2^53', (db) =>
    labels(db, eq(typeSamples.int8, 9007199254740993n)),
  ),
  read('equal to a float', (db) => labels(db, eq(typeSamples.float8, 0.1 + 0.2))),
  read('a timestamp with a zone written in another zone', (db) =>
    labels(db, eq(plainSamples.timestamptz, '2024-02-29 05:30:00-05')),
  ),
  read('equal to an empty run of bytes', (db) =>
    labels(db, eq(typeSamples.bytea, Buffer.alloc(0))),
  ),
  read('a padded text against a shorter one', (db) => labels(db, eq(typeSamples.char, 'x'))),
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
  read('a uuid column', (db) =>
    db
      .select({ id: products.id, key: products.externalId })
      .from(products)
      .where(gt(products.externalId, '80000000-0000-0000-0000-000000000000'))
      .orderBy(products.externalId),
  ),
]
