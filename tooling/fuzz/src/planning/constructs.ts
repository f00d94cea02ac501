/** @module Statements of any size, one for each list of the grammar that a database has to plan. */

/** A statement with `size` parts, over a table `t (id, n, x)`. */
export type Construct = (size: number, table: string) => string

function parts(size: number, part: (index: number) => string, separator = ', '): string {
  return Array.from({ length: size }, (_, index) => part(index)).join(separator)
}

const keys = (size: number): string => parts(size, (index) => `n + ${index}`)

/** CUBE has the square of its sets. */
const dimensions = (size: number): number => Math.min(12, Math.round(Math.log2(size)) + 2)

export const constructs: Readonly<Record<string, Construct>> = {
  windows: (size, t) => `select ${parts(size, (i) => `sum(n) over (order by n + ${i})`)} from ${t}`,
  partitions: (size, t) =>
    `select ${parts(size, (i) => `sum(n) over (partition by n + ${i} order by id)`)} from ${t}`,
  'named windows': (size, t) =>
    `select ${parts(size, (i) => `count(*) over (w${i} rows ${i} preceding)`)} from ${t} window ${parts(size, (i) => `w${i} as (order by id)`)}`,
  'windows by name': (size, t) =>
    `select ${parts(size, (i) => `count(*) over w${i}`)} from ${t} window ${parts(size, (i) => `w${i} as (order by id rows ${i} preceding)`)}`,
  frames: (size, t) =>
    `select ${parts(size, (i) => `sum(n) over (order by id rows between ${i} preceding and current row)`)} from ${t}`,
  'calls of one window': (size, t) =>
    `select ${parts(size, (i) => `sum(n + ${i}) over (order by n)`)} from ${t}`,
  'keys of ORDER BY': (size, t) => `select id from ${t} order by ${keys(size)}`,
  'keys of GROUP BY': (size, t) => `select count(*) from ${t} group by ${keys(size)}`,
  'keys of DISTINCT ON': (size, t) => `select distinct on (${keys(size)}) id from ${t}`,
  'keys of a window': (size, t) => `select sum(n) over (order by ${keys(size)}) from ${t}`,
  'keys of an aggregate': (size, t) => `select string_agg(x, ',' order by ${keys(size)}) from ${t}`,
  'grouping sets': (size, t) =>
    `select count(*) from ${t} group by grouping sets (${parts(size, (i) => `(n, id + ${i})`)})`,
  rollup: (size, t) => `select count(*) from ${t} group by rollup (${keys(size)})`,
  cube: (size, t) => `select count(*) from ${t} group by cube (${keys(dimensions(size))})`,
  'ordered aggregates': (size, t) =>
    `select ${parts(size, (i) => `string_agg(x, ',' order by n + ${i})`)} from ${t}`,
  'distinct aggregates': (size, t) =>
    `select ${parts(size, (i) => `count(distinct n + ${i})`)} from ${t}`,
  aggregates: (size, t) => `select ${parts(size, (i) => `sum(n + ${i})`)} from ${t}`,
  subqueries: (size, t) =>
    `select ${parts(size, (i) => `(select max(b.n) + ${i} from ${t} b where b.id = a.id)`)} from ${t} a`,
  exists: (size, t) =>
    `select id from ${t} a where ${parts(size, (i) => `exists (select 1 from ${t} b where b.id = a.id + ${i})`, ' and ')}`,
  joins: (size, t) =>
    `select count(*) from ${t} t0 ${parts(size, (i) => `join ${t} t${i + 1} on t${i + 1}.id = t0.id`, ' ')}`,
  'left joins': (size, t) =>
    `select count(*) from ${t} t0 ${parts(size, (i) => `left join ${t} t${i + 1} on t${i + 1}.id = t0.n`, ' ')}`,
  'items of IN': (size, t) => `select id from ${t} where n in (${parts(size, String)})`,
  'expressions of IN': (size, t) =>
    `select id from ${t} where n in (${parts(size, (i) => `id + ${i}`)})`,
  'rows of IN': (size, t) =>
    `select id from ${t} where (n, id) in (${parts(size, (i) => `(${i}, ${i})`)})`,
  'branches of CASE': (size, t) =>
    `select case n ${parts(size, (i) => `when ${i} then 'a${i}'`, ' ')} end from ${t}`,
  'operands of OR': (size, t) =>
    `select id from ${t} where ${parts(size, (i) => `n = ${i}`, ' or ')}`,
  'operands of COALESCE': (size, t) =>
    `select coalesce(${parts(size, (i) => `nullif(n, ${i})`)}) from ${t}`,
  'rows of VALUES': (size) =>
    `select count(*) from (values ${parts(size, (i) => `(${i}, 'a')`)}) v`,
  'items of ARRAY': (size, t) => `select array[${keys(size)}] from ${t}`,
  columns: (size, t) => `select ${keys(size)} from ${t}`,
  unions: (size, t) => parts(size, (i) => `select id + ${i} from ${t}`, ' union '),
  'WITH queries': (size, t) =>
    `with ${parts(size, (i) => `c${i} as (select ${i === 0 ? `n as v from ${t}` : `v from c${i - 1}`})`)} select count(*) from c${size - 1}`,
  'nested subqueries': (size, t) =>
    `${'select v from ('.repeat(size)}select n as v from ${t}${parts(size, (i) => `) s${i}`, ' ')}`,
  'nested calls': (size, t) => `select ${'abs('.repeat(size)}n${')'.repeat(size)} from ${t}`,
}
