import {
  type JsonValue,
  onPostgres,
  refusedStep,
  step,
  type WriteCase,
  write,
  writes,
} from '../case.ts'

const allScratch = 'select * from {scratch} order by id'
const allMemberships = 'select * from {memberships} order by id'
const allCounters = 'select * from {counters} order by key'
const allSettings = 'select * from {settings} order by id'
const allTags = 'select * from {tags} order by id'

/** Rows of parameters, the first of them an id. */
function manyRows(count: number, row: string): string {
  const width = row.split('?').length - 1
  return Array.from({ length: count }, (_, i) => {
    let number = i * width
    return row.replaceAll('?', () => {
      number += 1
      return `$${number}`
    })
  }).join(', ')
}

function manyValues(count: number, valuesOf: (id: number) => readonly JsonValue[]): JsonValue[] {
  return Array.from({ length: count }, (_, i) => valuesOf(1000 + i)).flat()
}

export const inserts: readonly WriteCase[] = writes('insert', [
  write(
    'many rows of five values',
    [
      step(
        `insert into {scratch} (id, name, amount, day, data) values ${manyRows(50, '(?, ?, ?, ?, ?)')}`,
        manyValues(50, (id) => [id, `n${id}`, id / 4, '2024-02-29', { id }]),
      ),
    ],
    allScratch,
  ),
  write(
    'many rows are returned in their order',
    [
      step(
        `insert into {scratch} (id, name, flag) values ${manyRows(50, '(?, ?, true)')} returning id, name, flag`,
        manyValues(50, (id) => [4000 - id, `n${id}`]),
      ),
    ],
    allScratch,
  ),
  write(
    'many rows, some with defaults and literals',
    [
      step(
        `insert into {settings} (id, name, level) values ${manyRows(30, '(?, ?, default)')}, ($61, $62, $63), ($64, default, 7)`,
        [...manyValues(30, (id) => [id, `n${id}`]), 2000, 'x', 5, 2001],
      ),
    ],
    allSettings,
  ),
  write(
    'many rows that exist already or twice',
    [
      step(
        `insert into {tags} (id, name) values ${manyRows(40, '(?, ?)')} on conflict do nothing`,
        manyValues(40, (id) => [id % 30, `new ${id}`]),
      ),
    ],
    allTags,
  ),
  write(
    'many rows, with one that is wrong',
    [
      refusedStep(
        '23505',
        `insert into {tags} (id, name) values ${manyRows(40, '(?, ?)')}`,
        manyValues(40, (id) => [id === 1030 ? 1001 : id, `new ${id}`]),
      ),
    ],
    allTags,
  ),
  write(
    'more parameters than SQLite has',
    [
      step(
        `insert into {scratch} (id, name, note, n) values ${manyRows(9000, '(?, ?, ?, ?)')}`,
        manyValues(9000, (id) => [id, 'n', null, id]),
      ),
    ],
    `select count(*), sum(n), max(id), count(note) from {scratch} where id >= 1000`,
  ),
  write(
    'one row',
    [step(`insert into {tags} (id, name) values ($1, $2)`, [50, 'new tag'])],
    allTags,
  ),
  write(
    'returning',
    [
      step(`insert into {tags} ("id", "name") values ($1, $2), ($3, $4) returning "id", "name"`, [
        50,
        'a',
        51,
        'b',
      ]),
    ],
    allTags,
  ),
  write(
    'the database numbers the key',
    [step(`insert into {tags} (name) values ('numbered') returning id`)],
    allTags,
  ),
  write(
    'several numbered rows',
    [step(`insert into {tags} (name) values ('n1'), ('n2'), ('n3') returning name, id`)],
    allTags,
  ),
  write('without a column list', [step(`insert into {tags} values (60, 'bare')`)], allTags),
  write(
    'fewer values than columns',
    [step(`insert into {scratch} values (60, 'short')`)],
    allScratch,
  ),
  write(
    'every column',
    [
      step(
        `insert into {scratch} ("id", "name", "note", "amount", "flag", "n", "small", "big", "ratio", "code", "day", "at", "seen_at", "data", "bytes") values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) returning *`,
        [
          70,
          'all',
          'it\'s \\ "x"',
          '12.30',
          false,
          -1,
          3,
          '9007199254740993',
          0.1,
          'é😀',
          '2024-02-29',
          '2024-02-29 10:30:00.250',
          '2024-02-29 12:30:00+02',
          '{"b": 1, "a": [true, null, 1.50]}',
          '\\xDEAD',
        ],
      ),
    ],
    allScratch,
  ),
  write(
    'JSON values for parameters',
    [
      step(
        `insert into {scratch} (id, name, data, bytes) values ($1, $2, $3, $4), ($5, $6, $7, $8)`,
        [
          71,
          'x',
          { k: [1, { z: null }] },
          { type: 'Buffer', data: [0, 255] },
          72,
          'y',
          [1, 'two'],
          null,
        ],
      ),
    ],
    allScratch,
  ),
  write(
    'nulls',
    [
      step(`insert into {scratch} (id, name, note, amount, day) values (73, 'n', null, $1, $2)`, [
        null,
        null,
      ]),
    ],
    allScratch,
  ),
  write(
    'expressions',
    [
      step(
        `insert into {scratch} (id, name, amount, n, day) values (70 + 4, upper('abc') || $1, 1.239 * 2, length('four'), date '2024-02-28' + 1) returning id, name, amount, n, day`,
        ['!'],
      ),
    ],
    allScratch,
  ),
  write(
    'scalar subquery as a value',
    [
      step(
        `insert into {scratch} (id, name, n) values (75, (select name from {tags} where id = 4), (select count(*) from {tags}))`,
      ),
    ],
    allScratch,
  ),
  write(
    'ISO instants for date columns',
    [
      step(
        `insert into {scratch} (id, name, day, at, seen_at) values ($1, $2, $3, $4, $5) returning day, at, seen_at`,
        [
          76,
          'iso',
          '2024-01-15T00:00:00.000Z',
          '2024-01-15T10:30:00.123Z',
          '2024-01-15T10:30:00.123Z',
        ],
      ),
    ],
    allScratch,
  ),
  write(
    'numbers of other kinds are converted',
    [
      step(
        `insert into {scratch} (id, name, n, amount, big, ratio) values (77, 'conv', 2.5, 3, 4.4, 5)`,
      ),
    ],
    allScratch,
  ),
  write(
    'numeric is rounded on store',
    [
      step(
        `insert into {scratch} (id, name, amount) values (78, 'r', $1), (79, 'r', 1.235), (80, 'r', '1.005'), (81, 'r', -2.345) returning id, amount`,
        ['1.239'],
      ),
    ],
    allScratch,
  ),
  write(
    'numeric arithmetic after store',
    [step(`insert into {scratch} (id, name, amount) values (78, 'a', 0.1), (79, 'a', 0.2)`)],
    `select sum(amount), sum(amount) = 0.3 from {scratch} where name = 'a'`,
  ),
  write(
    'text that looks like a number stays text',
    [step(`insert into {scratch} (id, name, note, code) values (82, '007', '1e5', '0010')`)],
    allScratch,
  ),
  write(
    'varchar keeps trailing blanks beyond its length out',
    [step(`insert into {scratch} (id, name, code) values (83, 'pad', 'abcdefghij     ')`)],
    `select code, length(code) from {scratch} where id = 83`,
  ),
  write(
    'number into text',
    [step(`insert into {scratch} (id, name, note) values ($1, $2, $3)`, [84, 5, 1.5])],
    allScratch,
  ),
  write(
    'boolean spellings',
    [
      step(
        `insert into {scratch} (id, name, flag) values (85, 'b', $1), (86, 'b', $2), (87, 'b', 'yes')`,
        ['off', true],
      ),
    ],
    allScratch,
  ),
  write(
    'upper-case uuid and canonical json',
    [
      step(
        `insert into {products} (id, name, sku, unit_price, external_id, attributes) values (900, 'p', 'P-900', 1, 'ABCDEFAB-0000-4000-8000-ABCDEFABCDEF', '{"z":1,"a":{"c":1,"bb":2},"z":3}') returning external_id, attributes, attributes::text`,
      ),
    ],
    `select external_id, attributes from {products} where id = 900`,
  ),
  write(
    'alias in returning',
    [
      step(
        `insert into {tags} as t (id, name) values (61, 'al') returning t.id, t.name || '!' as shout`,
      ),
    ],
    allTags,
  ),
  write(
    'three-part returning',
    [
      step(
        `insert into {tags} (id, name) values (62, 'q') returning "main"."tags"."id", "tags"."name"`,
      ),
    ],
    allTags,
  ),
  write(
    'returning expressions and duplicates',
    [
      step(
        `insert into {scratch} (id, name, amount) values (88, 'e', 2.5) returning id, id, amount * 2, flag, n + 1, name is null, data is null`,
      ),
    ],
    allScratch,
  ),
  write(
    'returning a subquery',
    [
      step(
        `insert into {tags} (id, name) values (63, 's') returning id, (select count(*) from {categories})`,
      ),
    ],
    allTags,
  ),
  write(
    'many rows',
    [
      step(
        `insert into {counters} (key, n) values ${Array.from({ length: 200 }, (_, i) => `($${2 * i + 1}, $${2 * i + 2})`).join(', ')}`,
        Array.from({ length: 400 }, (_, i) => (i % 2 === 0 ? `k${i}` : i)),
      ),
    ],
    allCounters,
  ),
  write(
    'odd names',
    [
      step(
        `insert into {odd names} ("select", "order", "quote""d", "with space") values ($1, $2, $3, $4) returning "quote""d", id`,
        ['s', 9, '"', ' '],
      ),
    ],
    `select * from {odd names} order by id`,
  ),
  write(
    'two statements, one after the other',
    [
      step(`insert into {tags} (id, name) values (64, 'first')`),
      step(`update {tags} set name = 'second' where id = 64 returning *`),
    ],
    allTags,
  ),
  onPostgres(
    write(
      'into the array table',
      [
        step(
          `insert into {pg_only} (label, numbers, names, current_mood) values ('new', $1, $2, $3) returning id, numbers, names, current_mood`,
          [[1, null, 3], ['a"b', 'c,d'], 'happy'],
        ),
      ],
      `select label, numbers, names from {pg_only} order by label`,
    ),
  ),
  onPostgres(
    write(
      'ranges, figures and money',
      [
        step(
          `insert into {spaces} (id, spot, area, price, open, seats, free, words, chapters, spans, tried)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) returning spot, open, words, chapters`,
          [
            9,
            '(0.5,7)',
            '(3,4),(1,2)',
            '12.5',
            '[2025-01-01,2025-02-01]',
            '[1,2]',
            '{[1,2],[9,9]}',
            '[k,l)',
            '{[a,b)}',
            ['[x,y)', null],
            '12',
          ],
        ),
        step(
          `update {spaces} set spot[0] = 2, price = price * 2, seats = seats + '[2,12)',
             words = words * main.word_span('ka', null), chapters = chapters + main.word_spans(words) where id = 9`,
        ),
        refusedStep('22000', `update {spaces} set words = main.word_span('b', 'a') where id = 9`),
        refusedStep('23514', `update {spaces} set open = 'empty' where id = 9`),
        refusedStep('22012', `update {spaces} set price = price / 0::int4 where id = 9`),
      ],
      `select * from {spaces} order by id`,
    ),
  ),
  onPostgres(
    write(
      'rows and parts of columns',
      [
        step(
          `insert into {pg_only} (id, label, home) values (101, 'row', row('a', 1)), (102, 'text', '(b,"2")') returning home, (home).zip`,
        ),
        step(
          `insert into {pg_only} (id, label, home.zip, numbers[2], names[1:2]) values (103, 'parts', $1, 5, '{x,y,z}') returning home, numbers, names`,
          ['9'],
        ),
        step(
          `insert into {pg_only} (id, label, grid[1][1]) values (103, 'old', 7) on conflict (id) do update set numbers[1] = excluded.grid[1][1], home.street = 'new' returning home, numbers`,
        ),
        step(
          `update {pg_only} set home.zip = (home).street, numbers = '[0:1]={8,9}' where id = 102 returning home, numbers[0]`,
        ),
        step(
          `update {pg_only} p set (label, home) = row('set', row('c', 'd')) where id = 101 returning row(p.home, p.numbers)`,
        ),
        refusedStep('22P02', `insert into {pg_only} (label, home) values ('bad', '(1,2,3)')`),
        refusedStep('42703', `update {pg_only} set home.town = 'x'`),
        refusedStep(
          '22001',
          `insert into {pg_only} (label, home.zip) values ('long', '12345678901')`,
        ),
        step(`delete from {pg_only} where id = 101 returning label, home`),
        step(`delete from {pg_only} where id = 102 returning label, home, numbers::text`),
        step(`delete from {pg_only} where id = 103 returning label, home, numbers, names`),
      ],
      `select count(*) from {pg_only} where id > 100`,
    ),
  ),
])

export const defaults: readonly WriteCase[] = writes('insert-default', [
  write('default values', [step(`insert into {settings} default values returning *`)], allSettings),
  write(
    'every value is default',
    [
      step(
        `insert into {settings} values (default, default, default, default, default, default, default, default)`,
      ),
    ],
    allSettings,
  ),
  write(
    'Drizzle lists every column',
    [
      step(
        `insert into {settings} ("id", "name", "level", "enabled", "ratio", "starts_on", "data", "comment") values (default, $1, default, default, $2, default, default, default) returning "id", "name", "level", "enabled", "ratio", "starts_on", "data", "comment"`,
        ['mine', '2.25'],
      ),
    ],
    allSettings,
  ),
  write(
    'default in some rows only',
    [
      step(
        `insert into {settings} (id, name, level, enabled) values (10, 'a', default, false), (11, default, 9, default), (12, 'c', 1, true)`,
      ),
    ],
    allSettings,
  ),
  write(
    'default is not null',
    [
      step(
        `insert into {settings} (id, starts_on, data) values (10, default, default), (11, null, null)`,
      ),
    ],
    allSettings,
  ),
  write(
    'identity default in some rows',
    [
      step(
        `insert into {tags} (id, name) values (default, 'd1'), (5000, 'd2'), (default, 'd3') returning name, id = 5000`,
      ),
    ],
    // Without the new ids: some databases continue after the highest number.
    `select name, id > 12 from {tags} order by name`,
  ),
  write(
    'default for a column without one is null',
    [step(`insert into {scratch} (id, name, note, amount) values (90, 'x', default, default)`)],
    allScratch,
  ),
  write(
    'numeric default keeps its scale',
    [step(`insert into {settings} (id) values (20) returning ratio, ratio * 2`)],
    allSettings,
  ),
  write(
    'left-out columns take their defaults',
    [
      step(
        `insert into {orders} (id, customer_id, total_cents, order_date) values (900, 1, 5, '2024-01-01') returning status, freight`,
      ),
    ],
    `select id, status, freight from {orders} where id = 900`,
  ),
  write(
    'update to the default',
    [
      step(
        `update {settings} set level = default, name = default, comment = default, starts_on = default where id = 2 returning *`,
      ),
    ],
    allSettings,
  ),
  write(
    'upsert to the default',
    [
      step(
        `insert into {memberships} (id, team, member) values (1, 'x', 'y') on conflict (id) do update set role = default, points = default returning role, points`,
      ),
    ],
    allMemberships,
  ),
])
