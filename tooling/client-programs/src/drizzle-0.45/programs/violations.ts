import { eq, sql } from 'drizzle-orm'
import type { Program } from '../../program.ts'
import { type Db, write } from '../client.ts'
import { orderItems, products } from '../schema.ts'
import { counters, memberships, scratch, stock } from '../scratch-schema.ts'

/** Writes that both a database and the gateway must refuse, without any change. */
export const violations: readonly Program<Db>[] = [
  write('a unique key that is taken', (db) => db.insert(counters).values({ key: 'hits' }), {
    expect: { rejected: 409 },
  }),
  write(
    'a unique pair that is taken',
    (db) => db.insert(memberships).values({ team: 'blue', member: 'cy' }),
    { expect: { rejected: 409 } },
  ),
  write(
    'a value that breaks a check',
    (db) => db.insert(stock).values({ code: 'Z', quantity: -1 }),
    {
      expect: { rejected: 422 },
    },
  ),
  write('a required value left null', (db) => db.insert(scratch).values({ name: sql`null` }), {
    expect: { rejected: 422 },
  }),
  write(
    'a text that is too long',
    (db) => db.insert(scratch).values({ name: 'long', code: 'more than ten' }),
    { expect: { rejected: 422 } },
  ),
  write(
    'a number that does not fit',
    (db) => db.insert(scratch).values({ name: 'big', small: 40000 }),
    {
      expect: { rejected: 422 },
    },
  ),
  write(
    'a foreign key without its row',
    (db) => db.insert(orderItems).values({ orderId: 1, productId: 99999, unitPrice: '1' }),
    { expect: { rejected: 409 } },
  ),
  write('an update that breaks a check', (db) => db.update(stock).set({ price: '10000' }), {
    expect: { rejected: 422 },
  }),
  write(
    'an update that breaks a unique key',
    (db) => db.update(memberships).set({ team: 'red' }).where(eq(memberships.member, 'ada')),
    { expect: { rejected: 409 } },
  ),
  write(
    'a delete of a row that others need',
    (db) => db.delete(products).where(eq(products.id, 1)),
    { expect: { rejected: 409 } },
  ),
]
