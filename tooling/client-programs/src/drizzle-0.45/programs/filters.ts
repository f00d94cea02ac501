import {
  and,
  between,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  like,
  lt,
  not,
  notBetween,
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
  read('between two numbers', (db) => orderIds(db, between(orders.id, 20, 25))),
  read('not between two numbers', (db) => orderIds(db, notBetween(orders.id, 5, 296))),
  read('one of hundreds', (db) => orderIds(db, inArray(orders.id, manyIds))),
  read('one of none', (db) => orderIds(db, inArray(orders.id, []))),
  read('none of none', (db) => orderIds(db, and(notInArray(orders.id, []), lt(orders.id, 4)))),
  read('not in a subquery that holds a null', (db) =>
    db
      .select({ id: employees.id })
      .from(employees)
      .where(notInArray(employees.id, db.select({ id: employees.managerId }).from(employees))),
  ),
  read('not null', (db) => orderIds(db, and(isNotNull(orders.paidAt), lt(orders.id, 40)))),
  read('a pattern with escaped wildcards', (db) =>
    db
      .select({ text: reviews.body })
      .from(reviews)
      .where(like(reviews.body, '%\\%%'))
      .orderBy(reviews.id),
  ),
  read('not a pattern', (db) => customerNames(db, notLike(customers.companyName, '%e%'))),
  read('not a pattern whatever the case', (db) =>
    customerNames(db, notIlike(customers.companyName, '%A%')),
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
  read('two columns of a row', (db) =>
    productIds(db, lt(products.unitsInStock, products.reorderLevel)),
  ),
  read('is not distinct from a null', (db) =>
    customerNames(db, sql`${customers.city} is not distinct from ${null}::text`),
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
