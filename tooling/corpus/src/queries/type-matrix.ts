import { inOrder, type QueryCase, queries } from '../case.ts'

/** A column of every type, a value to compare with and a list of them. */
const columns: readonly (readonly [
  name: string,
  value: string | number | boolean,
  others: readonly (string | number | boolean)[],
])[] = [
  ['c_int2', 3, [0, -1, 32767]],
  ['c_int4', 3, [0, -1, 2147483647]],
  ['c_int8', '9007199254740992', ['0', '9007199254740993', '-9223372036854775808']],
  ['c_numeric', '2.5', ['0', '0.3', '99999999.9999']],
  ['c_float8', 0.5, [0, 0.1, 1e20]],
  ['c_bool', true, [true, false]],
  ['c_text', 'X', ['', 'x', '😀', 'null']],
  ['c_varchar', 'abc', ['ABC', '007', 'blank ']],
  [
    'c_uuid',
    'aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa',
    ['11111111-1111-1111-1111-111111111111', 'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF'],
  ],
  ['c_date', '2024-01-31', ['2000-01-01', '9999-12-31']],
  ['c_time', '10:30:00', ['10:30:00.250', '23:59:59.999999']],
  ['c_timestamp', '2024-02-29 10:30:00.5', ['2000-01-01', '2024-01-31T10:30:00.250Z']],
  [
    'c_timestamptz',
    '2024-02-29 10:30:00.5+00',
    ['2000-01-01 01:00:00+01', '2024-01-31T10:30:00.250Z'],
  ],
  ['c_bytea', '\\x03', ['\\x', '\\xFF', '\\xdeadbeef']],
]

const sortable = [...columns.map(([name]) => name), 'c_char']
const operators = ['=', '<>', '<', '<=', '>', '>=']

export const typeMatrix: readonly QueryCase[] = queries('types', [
  inOrder('every column', 'select * from {type_samples} order by id'),
  ...sortable.flatMap((name) => [
    inOrder(`${name} ascending`, `select ${name}, id from {type_samples} order by ${name}, id`),
    inOrder(
      `${name} descending nulls last`,
      `select id from {type_samples} order by ${name} desc nulls last, id desc`,
    ),
    inOrder(
      `${name} groups`,
      `select ${name}, count(*) from {type_samples} group by ${name} order by ${name}`,
    ),
    inOrder(
      `${name} self join`,
      `select a.id, b.id from {type_samples} a join {type_samples} b on a.${name} = b.${name} and a.id < b.id order by 1, 2`,
    ),
    inOrder(
      `${name} in a derived table`,
      `select q.x, q.x is null from (select ${name} as x, id from {type_samples}) q order by q.id`,
    ),
    inOrder(
      `${name} through coalesce, case and a union`,
      `select coalesce(${name}, ${name}), case when id > 5 then ${name} end from {type_samples} where id < 12 union all select ${name}, null from {type_samples} where id = 12 order by 1, 2`,
    ),
  ]),
  ...columns.flatMap(([name, value, others]) => [
    ...operators.map((operator) =>
      inOrder(
        `${name} ${operator} a parameter`,
        `select id from {type_samples} where ${name} ${operator} $1 order by id`,
        [value],
      ),
    ),
    inOrder(
      `${name} in a list`,
      `select id from {type_samples} where ${name} in (${others.map((_, index) => `$${index + 1}`).join(', ')}) order by id`,
      others,
    ),
    inOrder(
      `${name} comparison as a value`,
      `select id, ${name} = $1, ${name} is distinct from $1 from {type_samples} order by id`,
      [value],
    ),
    inOrder(`${name} as text`, `select id, ${name}::text from {type_samples} order by id`),
    inOrder(
      `${name} in JSON`,
      `select json_build_object('v', ${name}), json_build_array(${name}, id) from {type_samples} order by id`,
    ),
    inOrder(
      `${name} window`,
      `select id, lag(${name}) over (order by id), first_value(${name}) over (order by ${name} desc nulls last, id) from {type_samples} order by id`,
    ),
  ]),
  ...columns
    .filter(([name]) => name !== 'c_bool' && name !== 'c_uuid' && name !== 'c_bytea')
    .map(([name]) =>
      inOrder(
        `${name} extremes`,
        `select min(${name}), max(${name}), count(distinct ${name}) from {type_samples}`,
      ),
    ),
])
