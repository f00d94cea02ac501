import { onPostgres, refusedStep, step, type WriteCase, write, writes } from '../case.ts'

const allScratch = 'select * from {scratch} order by id'
const allMemberships = 'select * from {memberships} order by id'
const allStock = 'select * from {stock} order by code'
const allCounters = 'select * from {counters} order by key'

export const constraints: readonly WriteCase[] = writes('constraints', [
  write(
    'unique',
    [
      refusedStep('23505', `insert into {tags} (id, name) values (90, 'sale')`),
      refusedStep('23505', `insert into {tags} (id, name) values (1, 'other')`),
    ],
    `select * from {tags} order by id`,
  ),
  write(
    'nothing of a failing multi-row insert stays',
    [
      refusedStep(
        '23505',
        `insert into {tags} (id, name) values (90, 'fine'), (91, 'sale'), (92, 'fine too')`,
      ),
    ],
    `select * from {tags} order by id`,
  ),
  write(
    'unique by update',
    [refusedStep('23505', `update {memberships} set team = 'red', member = 'ada' where id = 2`)],
    allMemberships,
  ),
  write(
    'unique text is exact',
    [step(`insert into {tags} (id, name) values (90, 'SALE'), (91, 'sale ')`)],
    `select * from {tags} order by id`,
  ),
  write(
    'foreign key',
    [
      refusedStep(
        '23503',
        `insert into {orders} (id, customer_id, total_cents, order_date) values (900, 999, 1, '2024-01-01')`,
      ),
      refusedStep('23503', `delete from {customers} where id = 1`),
      refusedStep('23503', `update {orders} set customer_id = 999 where id = 1`),
    ],
    `select count(*), sum(customer_id) from {orders}`,
  ),
  write(
    'not null',
    [
      refusedStep('23502', `insert into {tags} (id, name) values (90, null)`),
      refusedStep('23502', `insert into {scratch} (id) values (90)`),
      refusedStep('23502', `update {scratch} set name = null where id = 1`),
    ],
    allScratch,
  ),
  write(
    'check',
    [
      refusedStep('23514', `update {stock} set quantity = -1 where code = 'A-1'`),
      refusedStep(
        '23514',
        `insert into {reviews} (product_id, rating, created_at) values (1, 6, '2024-01-01')`,
      ),
      refusedStep('23514', `insert into {stock} values ('X', 1, 10000)`),
    ],
    allStock,
  ),
  write(
    'a failing update changes no row',
    [refusedStep('23514', `update {stock} set quantity = quantity - 6`)],
    allStock,
  ),
  write(
    'text too long',
    [
      refusedStep(
        '22001',
        `insert into {scratch} (id, name, code) values (90, 'x', 'abcdefghijk')`,
      ),
      refusedStep('22001', `update {stock} set code = $1 where code = 'A-1'`, ['1234567890123']),
    ],
    allStock,
  ),
  write(
    'length counts characters',
    [
      step(`insert into {scratch} (id, name, code) values (90, 'x', '😀😀😀😀😀😀😀😀😀😀')`),
      refusedStep(
        '22001',
        `insert into {scratch} (id, name, code) values (91, 'x', 'ééééééééééé')`,
      ),
    ],
    allScratch,
  ),
  write(
    'numbers out of range',
    [
      refusedStep('22003', `insert into {scratch} (id, name, n) values (90, 'x', 2147483648)`),
      refusedStep('22003', `insert into {scratch} (id, name, small) values (90, 'x', 40000)`),
      refusedStep('22003', `insert into {scratch} (id, name, amount) values (90, 'x', 100000000)`),
      refusedStep('22003', `update {scratch} set n = n + 2147483647 where id = 3`),
      refusedStep('22003', `insert into {scratch} (id, name, big) values (90, 'x', $1)`, [
        '9223372036854775808',
      ]),
    ],
    allScratch,
  ),
  write(
    'bad text for a type',
    [
      refusedStep('22P02', `insert into {scratch} (id, name, n) values (90, 'x', $1)`, ['abc']),
      refusedStep('22P02', `insert into {scratch} (id, name, n) values (90, 'x', $1)`, [10.5]),
      refusedStep('22P02', `insert into {scratch} (id, name, flag) values (90, 'x', $1)`, [
        'maybe',
      ]),
      refusedStep('22P02', `insert into {scratch} (id, name, data) values (90, 'x', $1)`, [
        '{bad json',
      ]),
      refusedStep('22007', `insert into {scratch} (id, name, day) values (90, 'x', $1)`, [
        'yesterdayish',
      ]),
      refusedStep('22008', `insert into {scratch} (id, name, day) values (90, 'x', $1)`, [
        '2024-02-30',
      ]),
      refusedStep('22P02', `update {products} set external_id = $1 where id = 1`, ['not a uuid']),
    ],
    allScratch,
  ),
  write(
    'bad literals for a type',
    [
      refusedStep('22P02', `insert into {scratch} (id, name, n) values (90, 'x', 'abc')`),
      refusedStep('22008', `update {scratch} set day = '2023-02-29' where id = 1`),
      refusedStep('22008', `update {scratch} set at = '2024-01-01 25:00:00' where id = 1`),
    ],
    allScratch,
  ),
  write(
    'bad bytes',
    [
      refusedStep('22023', `insert into {scratch} (id, name, bytes) values (90, 'x', $1)`, [
        '\\xZZ',
      ]),
      refusedStep('22023', `insert into {scratch} (id, name, bytes) values (90, 'x', $1)`, [
        '\\x123',
      ]),
    ],
    allScratch,
  ),
  write(
    'type mismatch of an expression',
    [
      refusedStep('42804', `update {scratch} set n = name`),
      refusedStep('42804', `update {scratch} set flag = n`),
      refusedStep('42804', `insert into {scratch} (id, name, day) values (90, 'x', 5)`),
      refusedStep('42804', `update {scratch} set data = name`),
    ],
    allScratch,
  ),
  write(
    'more than one row from a subquery',
    [refusedStep('21000', `update {scratch} set n = (select id from {tags})`)],
    allScratch,
  ),
  write(
    'division by zero in the middle',
    [refusedStep('22012', `update {scratch} set n = 10 / (n - 3)`)],
    allScratch,
  ),
  write(
    'the row is whole after a refusal',
    [
      step(`update {counters} set n = 11 where key = 'hits'`),
      refusedStep('23505', `insert into {counters} values ('hits', 1, null)`),
      step(`update {counters} set n = n + 1 where key = 'hits' returning n`),
    ],
    allCounters,
  ),
])

export const cteWrites: readonly WriteCase[] = writes(
  'cte-writes',
  [
    write(
      'insert and read back',
      [
        step(
          `with made as (insert into {tags} (id, name) values (95, 'made') returning id, name) select * from made`,
        ),
      ],
      `select * from {tags} order by id`,
    ),
    write(
      'move rows',
      [
        step(
          `with gone as (delete from {scratch} where n = 3 returning name, n) insert into {counters} (key, n) select name, n from gone returning key`,
        ),
      ],
      allCounters,
    ),
    write(
      'update feeding an insert',
      [
        step(
          `with up as (update {memberships} set points = points + 1 where team = 'red' returning member, points) insert into {counters} (key, n) select member, points from up`,
        ),
      ],
      allCounters,
    ),
    write(
      'two writes',
      [
        step(
          `with a as (insert into {tags} (id, name) values (96, 'x') returning id), b as (update {counters} set n = 0 where key = 'hits' returning n) select a.id, b.n from a, b`,
        ),
      ],
      allCounters,
    ),
    write(
      'the snapshot is the one before',
      [
        step(
          `with a as (update {counters} set n = 1000 where key = 'hits' returning n) select c.n, a.n from {counters} c, a where c.key = 'hits'`,
        ),
      ],
      allCounters,
    ),
  ].map(onPostgres),
)
