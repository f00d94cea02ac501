import { sql } from 'kysely'
import type { Program } from '../../program.ts'
import { type Db, read } from '../client.ts'

/** Common table expressions and set operations. */
export const combined: readonly Program<Db>[] = [
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
  read('intersect all', (db) =>
    db
      .selectFrom('customers')
      .select('country')
      .intersectAll(db.selectFrom('suppliers').select('country'))
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
]
