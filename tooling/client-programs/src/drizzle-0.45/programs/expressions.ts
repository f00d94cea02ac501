import { isNotNull, sql } from 'drizzle-orm'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'
import { customers, employees, orders, products, reviews, suppliers } from '../schema.ts'

/** Fields written by hand: arithmetic, texts, casts, conditions. */
export const expressions: readonly Program<Db>[] = [
  read('constants', (db) =>
    db
      .select({
        one: sql<number>`1`,
        half: sql<string>`0.5`,
        text: sql<string>`'text'`,
        yes: sql<boolean>`true`,
        nothing: sql<null>`null`,
      })
      .from(employees)
      .limit(1),
  ),
  read('integer arithmetic', (db) =>
    db
      .select({
        sum: sql<number>`${products.unitsInStock} + ${1}`,
        quotient: sql<number>`${products.unitsInStock} / 7`,
        rest: sql<number>`${products.unitsInStock} % 7`,
        negative: sql<number>`-${products.unitsInStock}`,
        product: sql<number>`${products.unitsInStock} * (${products.reorderLevel} - 2)`,
      })
      .from(products)
      .orderBy(products.id),
  ),
  read('numeric arithmetic is exact', (db) =>
    db
      .select({
        vat: sql<string>`${products.unitPrice} * 0.19`,
        sum: sql<string>`${products.unitPrice} + 0.1`,
        worth: sql<string>`${products.unitPrice} * ${products.unitsInStock}`,
        margin: sql<string>`${products.unitPrice} - ${products.cost}`,
      })
      .from(products)
      .orderBy(products.id),
  ),
  read('numeric division', (db) =>
    db
      .select({
        third: sql<string>`${products.unitPrice} / 3`,
        ratio: sql<string>`${products.cost} / nullif(${products.unitPrice}, 0)`,
      })
      .from(products)
      .orderBy(products.id),
  ),
  read('rounding', (db) =>
    db
      .select({
        tenth: sql<string>`round(${products.cost}, 1)`,
        whole: sql<string>`round(${products.unitPrice})`,
        down: sql<string>`floor(${products.unitPrice})`,
        up: sql<string>`ceil(${products.unitPrice})`,
        size: sql<string>`abs(${products.unitPrice} - 10)`,
      })
      .from(products)
      .orderBy(products.id),
  ),
  read('float arithmetic', (db) =>
    db
      .select({
        double: sql<number>`${suppliers.rating} * 2`,
        share: sql<number>`${suppliers.rating} / 3`,
        rounded: sql<number>`round(${suppliers.rating})`,
      })
      .from(suppliers)
      .orderBy(suppliers.id),
  ),
  read('text functions', (db) =>
    db
      .select({
        upper: sql<string>`upper(${customers.companyName})`,
        lower: sql<string>`lower(${customers.companyName})`,
        length: sql<number>`length(${customers.companyName})`,
        part: sql<string>`substring(${customers.companyName} from 2 for 3)`,
        trimmed: sql<string>`trim(${customers.notes})`,
        replaced: sql<string>`replace(${customers.companyName}, 'e', '3')`,
        position: sql<number>`position('e' in ${customers.companyName})`,
        left: sql<string>`left(${customers.companyName}, 2)`,
      })
      .from(customers)
      .orderBy(customers.id),
  ),
  read('texts put together', (db) =>
    db
      .select({
        full: sql<string>`${employees.firstName} || ' ' || ${employees.lastName}`,
        titled: sql<string | null>`${employees.title} || ': ' || ${employees.lastName}`,
        lenient: sql<string>`concat(${employees.title}, '/', ${employees.lastName})`,
        joined: sql<string>`concat_ws('-', ${employees.title}, ${employees.firstName})`,
      })
      .from(employees)
      .orderBy(employees.id),
  ),
  read('coalesce and nullif', (db) =>
    db
      .select({
        city: sql<string>`coalesce(${customers.city}, ${'nowhere'})`,
        contact: sql<string>`coalesce(${customers.contactName}, ${customers.email}, 'nobody')`,
        notes: sql<string | null>`nullif(${customers.notes}, '')`,
      })
      .from(customers)
      .orderBy(customers.id),
  ),
  read('case with conditions', (db) =>
    db
      .select({
        id: products.id,
        level: sql<string>`case when ${products.unitsInStock} = 0 then 'none' when ${products.unitsInStock} < ${20} then 'few' else 'many' end`,
      })
      .from(products)
      .orderBy(products.id),
  ),
  read('case over a value', (db) =>
    db
      .select({
        id: orders.id,
        code: sql<number | null>`case ${orders.status} when 'new' then 1 when 'paid' then 2 end`,
      })
      .from(orders)
      .orderBy(orders.id)
      .limit(30),
  ),
  read('comparisons as fields are booleans', (db) =>
    db
      .select({
        id: products.id,
        cheap: sql<boolean>`${products.unitPrice} < 10`,
        none: sql<boolean>`${products.cost} is null`,
        both: sql<boolean | null>`${products.discontinued} and ${products.reorderLevel} > 5`,
        known: sql<boolean>`${products.categoryId} in (1, 2, 3)`,
      })
      .from(products)
      .orderBy(products.id),
  ),
  read('casts', (db) =>
    db
      .select({
        text: sql<string>`${products.id}::text`,
        price: sql<number>`${products.unitPrice}::int`,
        float: sql<number>`cast(${products.unitPrice} as double precision)`,
        scaled: sql<string>`${products.unitPrice}::numeric(12, 4)`,
        flag: sql<string>`cast(${products.discontinued} as text)`,
        day: sql<string>`${products.createdAt}::date`,
        short: sql<string>`${products.name}::varchar(5)`,
      })
      .from(products)
      .orderBy(products.id),
  ),
  read('greatest and least', (db) =>
    db
      .select({
        high: sql<number>`greatest(${products.unitsInStock}, ${products.reorderLevel}, 7)`,
        low: sql<number>`least(${products.unitsInStock}, ${products.reorderLevel})`,
      })
      .from(products)
      .orderBy(products.id),
  ),
  read('a regular expression', (db) =>
    db
      .select({ id: products.id, sku: products.sku })
      .from(products)
      .where(sql`${products.sku} ~ '^SKU-0[0-4].*a$'`)
      .orderBy(products.id),
  ),
  read('a field decoded by a column', (db) =>
    db
      .select({
        id: reviews.id,
        day: sql<Date>`${reviews.createdAt}`.mapWith(reviews.createdAt),
        score: sql<number>`${reviews.rating}`.mapWith(Number),
      })
      .from(reviews)
      .where(isNotNull(reviews.title))
      .orderBy(reviews.id)
      .limit(10),
  ),
]
