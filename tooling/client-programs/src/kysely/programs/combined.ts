import { sql } from 'kysely'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'

/** Common table expressions and set operations. */
export const combined: readonly Program<Db>[] = [
  read('a common table expression', (db) =>
    db
      .with('big', (qb) => qb.selectFrom('orders').selectAll().where('total_cents', '>', '1000000'))
      .selectFrom('big')
      .selectAll()
      .orderBy('id')
      .execute(),
  ),
  read('common table expressions that build on each other', (db) =>
    db
      .with('counts', (qb) =>
        qb
          .selectFrom('orders')
          .select((eb) => ['employee_id', eb.fn.countAll<string>().as('n')])
          .groupBy('employee_id'),
      )
      .with('top', (qb) => qb.selectFrom('counts').select((eb) => eb.fn.max('n').as('most')))
      .selectFrom('counts')
      .innerJoin('top', 'top.most', 'counts.n')
      .select(['counts.employee_id', 'counts.n'])
      .orderBy('counts.employee_id')
      .execute(),
  ),
  read('a common table expression with its columns named', (db) =>
    db
      .with('t(key, label)', (qb) => qb.selectFrom('tags').select(['id as key', 'name as label']))
      .selectFrom('t')
      .selectAll()
      .orderBy('key')
      .execute(),
  ),
  read('a recursive common table expression', (db) =>
    db
      .withRecursive('tree(id, name, depth)', (qb) =>
        qb
          .selectFrom('categories')
          .select(['id', 'name', sql<number>`0`.as('depth')])
          .where('parent_id', 'is', null)
          .unionAll(
            qb
              .selectFrom('categories')
              .innerJoin('tree', 'tree.id', 'categories.parent_id')
              .select([
                'categories.id',
                'categories.name',
                sql<number>`tree.depth + 1`.as('depth'),
              ]),
          ),
      )
      .selectFrom('tree')
      .selectAll()
      .orderBy('depth')
      .orderBy('id')
      .execute(),
  ),
  read(
    'a materialized common table expression',
    (db) =>
      db
        .with(
          (cte) => cte('few').materialized(),
          (qb) => qb.selectFrom('tags').select('id').where('id', '<', 4),
        )
        .selectFrom('few')
        .selectAll()
        .orderBy('id')
        .execute(),
    { portable: false },
  ),
  read('union', (db) =>
    db
      .selectFrom('customers')
      .select('country')
      .union(db.selectFrom('suppliers').select('country'))
      .orderBy('country')
      .execute(),
  ),
  read('union all', (db) =>
    db
      .selectFrom('customers')
      .select('country')
      .unionAll(db.selectFrom('suppliers').select('country'))
      .orderBy('country')
      .execute(),
  ),
  read('intersect', (db) =>
    db
      .selectFrom('customers')
      .select('country')
      .intersect(db.selectFrom('suppliers').select('country'))
      .orderBy('country')
      .execute(),
  ),
  read('intersect all', (db) =>
    db
      .selectFrom('customers')
      .select('country')
      .intersectAll(db.selectFrom('suppliers').select('country'))
      .orderBy('country')
      .execute(),
  ),
  read('except', (db) =>
    db
      .selectFrom('customers')
      .select('country')
      .except(db.selectFrom('suppliers').select('country'))
      .orderBy('country')
      .execute(),
  ),
  read('except all', (db) =>
    db
      .selectFrom('customers')
      .select('country')
      .exceptAll(db.selectFrom('suppliers').select('country'))
      .orderBy('country')
      .execute(),
  ),
  read('intersect binds tighter than union', (db) =>
    db
      .selectFrom('customers')
      .select('country')
      .union(db.selectFrom('suppliers').select('country'))
      .intersect(db.selectFrom('suppliers').select('country').where('active', '=', true))
      .orderBy('country')
      .execute(),
  ),
  read('a set operation in parentheses inside another', (db) =>
    db
      .selectFrom('customers')
      .select('country')
      .unionAll((eb) =>
        eb.parens(
          eb
            .selectFrom('suppliers')
            .select('country')
            .except(eb.selectFrom('customers').select('country')),
        ),
      )
      .orderBy('country')
      .execute(),
  ),
  read('a set operation with a limit', (db) =>
    db
      .selectFrom('customers')
      .select('country')
      .union(db.selectFrom('suppliers').select('country'))
      .orderBy('country', 'desc')
      .limit(3)
      .execute(),
  ),
]
