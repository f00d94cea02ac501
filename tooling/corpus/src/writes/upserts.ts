import { refusedStep, step, type WriteCase, write, writes } from '../case.ts'

const allMemberships = 'select * from {memberships} order by id'
const allCounters = 'select * from {counters} order by key'
const allTags = 'select * from {tags} order by id'

/** `($1, $2), ($3, $4) ...` */
const thirtyPairs = Array.from({ length: 30 }, (_, i) => `($${2 * i + 1}, $${2 * i + 2})`).join(
  ', ',
)

export const upserts: readonly WriteCase[] = writes('upsert', [
  write(
    'do update of many rows',
    [
      step(
        `insert into {counters} (key, n) values ${thirtyPairs} on conflict (key) do update set n = excluded.n + $61 returning key, n`,
        [...Array.from({ length: 30 }, (_, i) => [i === 7 ? 'hits' : `k${i}`, i]).flat(), 1000],
      ),
    ],
    allCounters,
  ),
  write(
    'do update of many rows with a duplicate',
    [
      refusedStep(
        '21000',
        `insert into {counters} (key, n) values ${thirtyPairs} on conflict (key) do update set n = excluded.n`,
        Array.from({ length: 30 }, (_, i) => [i === 7 ? 'k8' : `k${i}`, i]).flat(),
      ),
    ],
    allCounters,
  ),
  write(
    'do nothing on a conflict',
    [
      step(
        `insert into {counters} (key, n) values ('hits', 1) on conflict do nothing returning key`,
      ),
    ],
    allCounters,
  ),
  write(
    'do nothing without a conflict',
    [
      step(
        `insert into {counters} (key, n) values ('fresh', 1) on conflict (key) do nothing returning key, n`,
      ),
    ],
    allCounters,
  ),
  write(
    'do nothing for one row of several',
    [
      step(
        `insert into {counters} (key, n) values ('hits', 1), ('fresh', 2) on conflict ("key") do nothing returning "key"`,
      ),
    ],
    allCounters,
  ),
  write(
    'do nothing with a duplicate among the rows',
    [
      step(
        `insert into {counters} (key, n) values ('dup', 1), ('dup', 2) on conflict (key) do nothing returning key, n`,
      ),
    ],
    allCounters,
  ),
  write(
    'do update with excluded',
    [
      step(
        `insert into {counters} (key, n) values ($1, $2) on conflict (key) do update set n = excluded.n returning key, n`,
        ['hits', 99],
      ),
    ],
    allCounters,
  ),
  write(
    'do update adds to the old value',
    [
      step(
        `insert into {counters} ("key", "n") values ('hits', 5), ('new', 7) on conflict ("key") do update set "n" = "main"."counters"."n" + excluded.n returning "key", "n"`,
      ),
    ],
    allCounters,
  ),
  write(
    'do update with the short table name',
    [
      step(
        `insert into {counters} (key, n) values ('hits', 5) on conflict (key) do update set n = counters.n * 2`,
      ),
    ],
    allCounters,
  ),
  write(
    'do update with an alias',
    [
      step(
        `insert into {counters} as c (key, n) values ('hits', 5) on conflict (key) do update set n = c.n - excluded.n returning c.n`,
      ),
    ],
    allCounters,
  ),
  write(
    'do update where',
    [
      step(
        `insert into {counters} (key, n) values ('hits', 5), ('misses', 5) on conflict (key) do update set n = excluded.n where counters.n < excluded.n returning key`,
      ),
    ],
    allCounters,
  ),
  write(
    'do update where with a parameter',
    [
      step(
        `insert into {memberships} (id, team, member) values (1, 'red', 'zed') on conflict (id) do update set role = $1 where "main"."memberships"."role" = $2`,
        ['boss', 'lead'],
      ),
    ],
    allMemberships,
  ),
  write(
    'target of two columns',
    [
      step(
        `insert into {memberships} (team, member, points) values ('red', 'ada', 3), ('red', 'new', 4) on conflict (team, member) do update set points = memberships.points + excluded.points returning team, member, points`,
      ),
    ],
    // Without the id: PostgreSQL uses a number for the conflicting row too.
    `select team, member, role, points from {memberships} order by team, member`,
  ),
  write(
    'another unique key still fails',
    [
      refusedStep(
        '23505',
        `insert into {memberships} (id, team, member) values (2, 'red', 'ada') on conflict (team, member) do update set id = 2`,
      ),
      step(`select count(*) from {memberships}`),
    ],
    allMemberships,
  ),
  write(
    'target id, conflict on another key',
    [
      refusedStep(
        '23505',
        `insert into {memberships} (id, team, member, email) values (9, 'x', 'y', 'ada@example.com') on conflict (id) do update set points = 100`,
      ),
    ],
    allMemberships,
  ),
  write(
    'nulls do not conflict',
    [
      step(
        `insert into {memberships} (team, member, email) values ('a', 'b', null), ('a', 'c', null) on conflict (email) do update set points = 1 returning member`,
      ),
    ],
    allMemberships,
  ),
  write(
    'keys are case-sensitive',
    [
      step(
        `insert into {counters} (key, n) values ('HITS', 1), ('hits ', 2) on conflict (key) do update set n = -1 returning key, n`,
      ),
    ],
    allCounters,
  ),
  write(
    'old values on the right side',
    [
      step(
        `insert into {memberships} (id, team, member, points) values (1, 'r', 's', 7) on conflict (id) do update set points = memberships.points + 1, role = 'was ' || memberships.points returning points, role`,
      ),
    ],
    allMemberships,
  ),
  write(
    'set several columns at once',
    [
      step(
        `insert into {memberships} (id, team, member) values (2, 'blue', 'new') on conflict (id) do update set (team, member) = (excluded.team, excluded.member) returning *`,
      ),
    ],
    allMemberships,
  ),
  write(
    'Kysely spelling',
    [
      step(
        `insert into {tags} ("id", "name") values ($1, $2) on conflict ("id") do update set "name" = "excluded"."name" returning "id", "name"`,
        [1, 'renamed'],
      ),
    ],
    allTags,
  ),
  write(
    'same key twice is an error',
    [
      refusedStep(
        '21000',
        `insert into {counters} (key, n) values ('twice', 1), ('twice', 2) on conflict (key) do update set n = excluded.n`,
      ),
    ],
    allCounters,
  ),
  write(
    'do nothing does not swallow other errors',
    [
      refusedStep(
        '23502',
        `insert into {counters} (key, n) values ('nul', null) on conflict do nothing`,
      ),
      refusedStep(
        '23514',
        `insert into {stock} (code, quantity) values ('neg', -1) on conflict do nothing`,
      ),
      refusedStep('23503', `insert into {product_tags} values (1, 999) on conflict do nothing`),
    ],
    allCounters,
  ),
  write(
    'from a select',
    [
      step(
        `insert into {counters} (key, n) select name, id from {tags} where id < 3 union all select 'hits', 100 on conflict (key) do update set n = excluded.n returning key, n`,
      ),
    ],
    allCounters,
  ),
  write(
    'on a composite primary key',
    [
      step(
        `insert into {order_items} (order_id, product_id, quantity, unit_price) values (1, 8, 7, 1.5), (1, 80, 1, 2) on conflict ("order_id","product_id") do update set "quantity" = "main"."order_items"."quantity" + excluded.quantity returning order_id, product_id, quantity, discount`,
      ),
    ],
    `select * from {order_items} where order_id = 1 order by product_id`,
  ),
  write(
    'on conflict on constraint',
    [
      step(
        `insert into {counters} (key, n) values ('hits', 1) on conflict on constraint counters_pkey do nothing`,
      ),
    ],
    allCounters,
  ),
  write(
    'of several arrays',
    [
      step(
        `insert into {counters} (key, n) select k, v from unnest($1::text[], $2::int[]) as t(k, v) on conflict (key) do update set n = excluded.n returning key, n`,
        [
          ['hits', 'new'],
          [1, 2],
        ],
      ),
    ],
    allCounters,
  ),
  write(
    'of a recordset',
    [
      step(
        `insert into {counters} (key, n) select key, n from jsonb_to_recordset($1) as t(key text, n int) on conflict (key) do update set n = {counters}.n + excluded.n returning key, n`,
        [
          [
            { key: 'hits', n: 1 },
            { key: 'new', n: 2 },
          ],
        ],
      ),
    ],
    allCounters,
  ),
  write(
    'with a predicate of the key',
    [
      step(
        `insert into {counters} (key, n) values ('hits', 1) on conflict (key) where n > 3 do update set n = 0 returning *`,
      ),
    ],
    allCounters,
  ),
  write(
    'keys that nobody gave',
    [
      refusedStep('23502', 'insert into {counters} (n) values (1)'),
      refusedStep('23502', 'insert into {counters} (key, n) values (default, 1), (default, 2)'),
      refusedStep('23502', 'insert into {counters} (n) select id from {tags}'),
      refusedStep('23502', 'insert into {counters} default values'),
      refusedStep('23502', `update {counters} set key = default where key = 'hits'`),
    ],
    allCounters,
  ),
])
