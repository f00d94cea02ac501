/** @module Statements that nest and widen a shape, and statements whose clauses nest and widen. */
import type { Random } from '../random.ts'
import type { Shape } from './shapes.ts'

export interface NestedStatement {
  readonly name: string
  readonly sql: string
}

export const mostDepth = 30
export const mostWidth = 100

/** Uses of an expression: printed once, compared, sorted, grouped and stored. */
const places: readonly ((expression: string) => string)[] = [
  (expression) => `select ${expression} from item as t`,
  (expression) => `select t.id from item as t where ${expression} is null order by ${expression}`,
  (expression) => `select ${expression}, count(*) from item as t group by ${expression}`,
  (expression) =>
    `update item as t set c_text = (${expression})::text where ${expression} is not null`,
]

export function nested(shape: Shape, depth: number): string {
  let expression = shape.seed
  for (let level = 0; level < depth; level += 1) expression = shape.nest(expression)
  return expression
}

function widened(shape: Shape, width: number): string {
  const items = Array.from({ length: width }, () => shape.nest(shape.seed))
  if (shape.widen !== undefined) return `select ${shape.widen(items)} from item as t`
  return `select ${items.join(', ')} from item as t`
}

/** The shape at its full depth in one place, and at its full width. */
export function statementsOf(shape: Shape, place: number): readonly NestedStatement[] {
  const deep = nested(shape, mostDepth)
  const around = places[place % places.length] ?? places[0]
  return [
    { name: `${shape.name}, nested`, sql: around?.(deep) ?? '' },
    { name: `${shape.name}, wide`, sql: widened(shape, mostWidth) },
  ]
}

/** Different shapes inside each other, each cast to the type of the next. */
export function mixed(shapes: readonly Shape[], random: Random, number: number): NestedStatement {
  let expression = random.pick(shapes).seed
  for (let level = 0; level < mostDepth; level += 1) {
    const shape = random.pick(shapes)
    expression = shape.nest(`(${expression})::text::${typeOf(shape)}`)
  }
  return { name: `mixture ${number}`, sql: `select ${expression} from item as t` }
}

/** The column of the shape's type. */
function typeOf({ seed }: Shape): string {
  const name = /^t\.c_(\w+)$/.exec(seed)?.[1] ?? 'text'
  return name === 'int4s' || name === 'texts' ? `${name.slice(0, -1)}[]` : name
}

const range = (length: number) => Array.from({ length }, (_, index) => index)
const times = (count: number, text: (index: number) => string, separator = ', ') =>
  range(count).map(text).join(separator)

const groupColumns =
  'c_int4 c_int2 c_int8 c_float4 c_float8 c_numeric c_text c_varchar c_bpchar c_bool c_date c_time'.split(
    ' ',
  )

/** Clauses instead of expressions. */
export const clauseStatements: readonly NestedStatement[] = [
  ...range(13).map((count) => ({
    name: `CUBE of ${count}`,
    sql: `select count(*), sum(c_int4) from item group by cube (${['id', ...groupColumns].slice(0, count + 1).join(', ')})`,
  })),
  {
    name: 'ROLLUP',
    sql: `select ${groupColumns.join(', ')}, max(c_numeric) from item group by rollup (${groupColumns.join(', ')})`,
  },
  ...[64, 512, 4096].map((count) => ({
    name: `${count} grouping sets`,
    sql: `select c_int4, grouping(c_int4), max(c_text) filter (where c_bool) from item group by grouping sets (${times(count, (index) => (index % 2 === 0 ? '(c_int4)' : '(c_int4, c_text)'))})`,
  })),
  {
    name: 'grouping sets in grouping sets',
    sql: `select max(x) from (select sum(c_int4) as x, c_text from (select * from item group by cube (${['id', ...groupColumns.slice(0, 5)].join(', ')}, c_text, c_json, c_jsonb, c_bpchar, c_varchar)) as a group by cube (c_text, c_int4)) as b group by cube (x)`,
  },
  {
    name: 'derived tables that double a column',
    sql: range(30).reduce(
      (inner, level) => `select x || x as x from (${inner}) as d${level}`,
      'select c_text as x from item',
    ),
  },
  {
    name: 'derived tables that add numerics',
    sql: range(30).reduce(
      (inner, level) => `select x + x as x from (${inner}) as d${level}`,
      'select c_numeric as x from item',
    ),
  },
  {
    name: 'WITH queries that double a column',
    sql: `with q0 as (select c_numeric as x from item), ${times(30, (index) => `q${index + 1} as (select x * x + x as x from q${index})`)} select x from q30`,
  },
  {
    name: 'LATERAL inside each other',
    sql: `select * from item as t, ${times(30, (index) => `lateral (select ${index === 0 ? 't.c_int4' : `l${index - 1}.x`} + 1 as x) as l${index}`)}`,
  },
  {
    name: 'LATERAL with limits',
    sql: `select * from item as t, ${times(12, (index) => `lateral (select p.c_int4 as x from part as p where p.c_int4 = ${index === 0 ? 't.c_int4' : `l${index - 1}.x`} order by p.id limit 2) as l${index}`)}`,
  },
  {
    name: 'FULL JOIN in a row',
    sql: `select * from item as t0 ${times(30, (index) => `full join item as t${index + 1} on t${index + 1}.id = t${index}.id`, ' ')}`,
  },
  {
    name: 'LEFT JOIN in a row',
    sql: `select * from item as t0 ${times(100, (index) => `left join part as t${index + 1} on t${index + 1}.id = t${index}.id`, ' ')}`,
  },
  {
    name: 'FULL JOIN inside each other',
    sql: `select 1 from ${range(30).reduce((inner, index) => `(${inner} full join item as t${index} using (id))`, 'item as s')}`,
  },
  {
    name: 'DISTINCT ON inside each other',
    sql: range(30).reduce(
      (inner, level) =>
        `select distinct on (c_int4) * from (${inner}) as d${level} order by c_int4, id`,
      'select * from item',
    ),
  },
  {
    name: 'WITH TIES inside each other',
    sql: range(30).reduce(
      (inner, level) =>
        `select * from (${inner}) as d${level} order by c_int4 fetch first 3 rows with ties`,
      'select * from item',
    ),
  },
  ...['union', 'union all', 'intersect all', 'except all'].flatMap((operation) => [
    {
      name: `${operation} in a row`,
      sql: times(100, () => 'select * from item', ` ${operation} `),
    },
    {
      name: `${operation} inside each other`,
      sql: range(30).reduce(
        (inner) =>
          `(${inner}) ${operation} (${inner.length > 2_000 ? 'select * from item' : inner})`,
        'select * from item',
      ),
    },
  ]),
  {
    name: 'WITH inside WITH',
    sql: range(30).reduce(
      (inner, level) =>
        `with q${level} as (${inner}) select * from q${level} union all select * from q${level}`,
      'select * from item',
    ),
  },
  { name: 'stars', sql: `select ${times(100, () => '*')} from item, part` },
  {
    name: 'set-returning functions',
    sql: `select ${times(100, (index) => `generate_series(1, ${index + 1})`)} from item`,
  },
  {
    name: 'unnest in FROM',
    sql: `select * from unnest(${times(30, () => 'array[1, 2, 3]')}) with ordinality`,
  },
  {
    name: 'window functions',
    sql: `select ${times(100, (index) => `sum(c_numeric) filter (where c_bool) over (partition by c_text order by c_int4 rows between ${index} preceding and current row)`)} from item`,
  },
  {
    name: 'rows of an INSERT',
    sql: `insert into item (c_int4, c_text, c_numeric) values ${times(100, (index) => `(${index}, 'a' || ${index}, ${index}.5 / 3)`)} returning *`,
  },
  {
    name: 'upsert',
    sql: `insert into item (id, c_int4, c_text) select id, c_int4, c_text from part on conflict (id) do update set ${times(1, () => 'c_text = excluded.c_text || item.c_text, c_int4 = excluded.c_int4 + item.c_int4')} where item.c_int4 > excluded.c_int4 returning *`,
  },
  {
    name: 'UPDATE of every column from a join',
    sql: `update item set c_int4 = p.c_int4, c_text = p.c_text, c_numeric = p.c_numeric * 2 from part as p, ${times(30, (index) => `part as p${index}`)} where p.id = item.id returning *`,
  },
  {
    name: 'USING in a row',
    sql: `select * from item as t0 ${times(60, (index) => `join item as t${index + 1} using (id, c_int4)`, ' ')}`,
  },
  {
    name: 'NATURAL FULL JOIN',
    sql: `select * from item as t0 ${times(6, (index) => `natural full join item as t${index + 1}`, ' ')}`,
  },
]
