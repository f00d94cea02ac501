import {
  and,
  between,
  eq,
  exists,
  gt,
  gte,
  ilike,
  inArray,
  isNotNull,
  isNull,
  like,
  lt,
  lte,
  ne,
  not,
  notBetween,
  notExists,
  notIlike,
  notInArray,
  notLike,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'
import { customers, employees, orders, products, reviews, suppliers } from '../schema.ts'

const orderIds = (db: Db, where: SQL | undefined) =>
  db.select({ id: orders.id }).from(orders).where(where).orderBy(orders.id)

const productIds = (db: Db, where: SQL | undefined) =>
  db
    .select({ id: products.id, name: products.name })
    .from(products)
    .where(where)
    .orderBy(products.id)

const customerNames = (db: Db, where: SQL | undefined) =>
  db
    .select({ id: customers.id, name: customers.companyName })
    .from(customers)
    .where(where)
    .orderBy(customers.id)

const manyIds = Array.from({ length: 400 }, (_, index) => index * 3)

/** Every filter operator, alone and combined. */
export const filters: readonly Program<Db>[] = [
  read('equal to a number', (db) => orderIds(db, eq(orders.customerId, 5))),
  read('equal to a text, case counts', (db) => orderIds(db, eq(orders.status, 'Shipped'))),
  read('equal to null finds nothing', (db) =>
    orderIds(db, eq(orders.employeeId, sql`${null}::int`)),
  ),
  read('not equal leaves nulls out', (db) => orderIds(db, ne(orders.shipCity, 'London'))),
  read('greater and less', (db) => orderIds(db, and(gt(orders.id, 10), lt(orders.id, 15)))),
  read('greater or equal and less or equal', (db) =>
    orderIds(db, and(gte(orders.id, 10), lte(orders.id, 15))),
  ),
  read('a numeric column against a text', (db) => productIds(db, gt(products.unitPrice, '99.5'))),
  read('a numeric column equal to a differently written number', (db) =>
    productIds(db, eq(products.unitPrice, '2.5')),
  ),
  read('a bigint column beyond 2^53', (db) => orderIds(db, gt(orders.totalCents, 2 ** 53 - 1))),
  read('a float column', (db) => productIds(db, eq(products.weightKg, 0.1))),
  read('a small column', (db) => productIds(db, lte(products.reorderLevel, 5))),
  read('between two numbers', (db) => orderIds(db, between(orders.id, 20, 25))),
  read('between two texts', (db) => customerNames(db, between(customers.companyName, 'E', 'b'))),
  read('not between two numbers', (db) => orderIds(db, notBetween(orders.id, 5, 296))),
  read('one of several', (db) => orderIds(db, inArray(orders.customerId, [1, 7, 9]))),
  read('one of hundreds', (db) => orderIds(db, inArray(orders.id, manyIds))),
  read('one of none', (db) => orderIds(db, inArray(orders.id, []))),
  read('none of several', (db) => orderIds(db, notInArray(orders.customerId, [1, 2, 3, 4, 5]))),
  read('none of none', (db) => orderIds(db, and(notInArray(orders.id, []), lt(orders.id, 4)))),
  read('one of several texts', (db) => orderIds(db, inArray(orders.status, ['new', 'paid']))),
  read('in a subquery', (db) =>
    customerNames(
      db,
      inArray(
        customers.id,
        db.select({ id: orders.customerId }).from(orders).where(eq(orders.status, 'cancelled')),
      ),
    ),
  ),
  read('not in a subquery', (db) =>
    customerNames(db, notInArray(customers.id, db.select({ id: orders.customerId }).from(orders))),
  ),
  read('not in a subquery that holds a null', (db) =>
    db
      .select({ id: employees.id })
      .from(employees)
      .where(notInArray(employees.id, db.select({ id: employees.managerId }).from(employees))),
  ),
  read('null', (db) => orderIds(db, isNull(orders.employeeId))),
  read('not null', (db) => orderIds(db, and(isNotNull(orders.paidAt), lt(orders.id, 40)))),
  read('a pattern', (db) => customerNames(db, like(customers.companyName, '%an%'))),
  read('a pattern counts case', (db) => customerNames(db, like(customers.companyName, 'a%'))),
  read('a pattern with one open character', (db) =>
    customerNames(db, like(customers.companyName, '_pple')),
  ),
  read('a pattern with escaped wildcards', (db) =>
    db
      .select({ text: reviews.body })
      .from(reviews)
      .where(like(reviews.body, '%\\%%'))
      .orderBy(reviews.id),
  ),
  read('not a pattern', (db) => customerNames(db, notLike(customers.companyName, '%e%'))),
  read('a pattern whatever the case', (db) =>
    customerNames(db, ilike(customers.companyName, 'A%')),
  ),
  read('not a pattern whatever the case', (db) =>
    customerNames(db, notIlike(customers.companyName, '%A%')),
  ),
  read('a boolean column by itself', (db) => customerNames(db, sql`${customers.active}`)),
  read('a boolean column negated', (db) => customerNames(db, not(sql`${customers.active}`))),
  read('a boolean column equal to false', (db) => customerNames(db, eq(customers.active, false))),
  read('a nullable boolean is neither', (db) =>
    db
      .select({ id: reviews.id })
      .from(reviews)
      .where(and(ne(reviews.recommended, true), eq(reviews.verified, true)))
      .orderBy(reviews.id),
  ),
  read('is true, is not true, is unknown', (db) =>
    db
      .select({
        id: reviews.id,
        yes: sql<boolean>`${reviews.recommended} is true`,
        notYes: sql<boolean>`${reviews.recommended} is not true`,
        unknown: sql<boolean>`${reviews.recommended} is unknown`,
      })
      .from(reviews)
      .orderBy(reviews.id)
      .limit(30),
  ),
  read('and, or and not in each other', (db) =>
    orderIds(
      db,
      or(
        and(eq(orders.status, 'paid'), gt(orders.freight, '20')),
        not(or(gt(orders.id, 20), eq(orders.customerId, 5)) as SQL),
      ),
    ),
  ),
  read('not over an unknown stays unknown', (db) =>
    orderIds(db, not(eq(orders.shipCity, 'London'))),
  ),
  read('two columns of a row', (db) =>
    productIds(db, lt(products.unitsInStock, products.reorderLevel)),
  ),
  read('a column against a scalar subquery', (db) =>
    productIds(
      db,
      gt(products.unitPrice, sql`(select avg(${products.unitPrice}) from ${products})`),
    ),
  ),
  read('there is a related row', (db) =>
    customerNames(
      db,
      exists(
        db
          .select({ one: sql`1` })
          .from(reviews)
          .where(and(eq(reviews.customerId, customers.id), eq(reviews.rating, 1))),
      ),
    ),
  ),
  read('there is no related row', (db) =>
    customerNames(
      db,
      notExists(db.select().from(orders).where(eq(orders.customerId, customers.id))),
    ),
  ),
  read('is distinct from', (db) =>
    customerNames(db, sql`${customers.city} is distinct from ${'London'}`),
  ),
  read('is not distinct from a null', (db) =>
    customerNames(db, sql`${customers.city} is not distinct from ${null}::text`),
  ),
  read('rows compared as a whole', (db) =>
    orderIds(db, sql`(${orders.customerId}, ${orders.id}) > (${50}, ${100})`),
  ),
  read('pairs in a list of pairs', (db) =>
    orderIds(db, sql`(${orders.customerId}, ${orders.status}) in ((1, 'new'), (5, 'paid'))`),
  ),
  read('a parameter used twice', (db) =>
    db.execute(sql`select id from main.orders where id = ${12} or customer_id = ${12} order by id`),
  ),
  read('case in a filter', (db) =>
    orderIds(
      db,
      sql`case when ${orders.status} = 'new' then ${orders.id} < 10 else ${orders.id} > 295 end`,
    ),
  ),
  read('a float column of a nullable row set', (db) =>
    db
      .select({ id: suppliers.id, rating: suppliers.rating })
      .from(suppliers)
      .where(or(isNull(suppliers.rating), gte(suppliers.rating, 4)))
      .orderBy(suppliers.id),
  ),
]
