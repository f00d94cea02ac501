/**
 * @module Random SELECT statements with many LATERAL joins, over the tables `main.a`, `main.b`, `main.c` (id, n, m).
 */

/** Rows with NULLs, ties and values that are missing elsewhere; `id` first. */
export const joinTables: Readonly<Record<string, readonly (readonly (number | null)[])[]>> = {
  a: [
    [1, 1, 2],
    [2, 2, null],
    [3, null, 1],
    [4, 2, 2],
  ],
  b: [
    [1, 1, 1],
    [2, 2, 3],
    [3, 3, null],
    [5, null, null],
  ],
  c: [
    [1, 2, 1],
    [2, 2, 2],
    [3, 1, null],
  ],
}

/** From 0 to less than 1. */
type Random = () => number

/** The same numbers for the same seed. */
function createRandom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    const first = Math.imul(state ^ (state >>> 15), 1 | state)
    const second = (first + Math.imul(first ^ (first >>> 7), 61 | first)) ^ first
    return ((second ^ (second >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Part of a FROM clause and the items that it names. Each item has the columns n and m. */
interface Part {
  readonly sql: string
  readonly names: readonly string[]
}

/** Not every one is valid: PostgreSQL decides. */
export function randomJoins(seed: number): string {
  const random = createRandom(seed)
  let last = 0
  const from = randomFrom([], 3)
  const where = random() < 0.4 ? ` where ${condition(from.names)}` : ''
  const [x, y] = [column(from.names), column(from.names)]
  const row = pick(from.names)
  const all = from.names.map((name) => `${name}.n, ${name}.m`).join(', ')
  return pick([
    `select ${all}, row_to_json(${row}) from ${from.sql}${where}`,
    `select ${all}, row_to_json(${row}) from ${from.sql}${where}`,
    `select ${x}, count(*), sum(${y}), count(${row}) from ${from.sql}${where} group by ${x}`,
    `select count(*), sum(${x}), max(${y}) from ${from.sql}${where}`,
    `select ${x}, ${y}, count(*), grouping(${x}) from ${from.sql}${where} group by cube (${x}, ${y})`,
  ])

  function pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(random() * choices.length)] as T
  }

  function fresh(letter: string): string {
    last += 1
    return `${letter}${last}`
  }

  function column(names: readonly string[]): string {
    return `${pick(names)}.${pick(['n', 'm'])}`
  }

  function condition(names: readonly string[]): string {
    return pick([
      'true',
      `${column(names)} = ${column(names)}`,
      `${column(names)} = ${column(names)}`,
      `${column(names)} <> ${column(names)}`,
      `${column(names)} > 1`,
      `${column(names)} is null`,
    ])
  }

  function randomFrom(outer: readonly string[], depth: number): Part {
    const first = randomTree(outer, depth)
    if (random() < 0.75) return first
    const second = randomTree([...outer, ...first.names], 1)
    return { sql: `${first.sql}, ${second.sql}`, names: [...first.names, ...second.names] }
  }

  function randomTree(outer: readonly string[], depth: number): Part {
    if (depth === 0 || random() < 0.3) return randomItem(outer)
    const left = randomTree(outer, depth - 1)
    const type = pick(['join', 'left join', 'left join', 'cross join', 'right join', 'full join'])
    const seesLeft = type !== 'right join' && type !== 'full join'
    const visible = seesLeft ? [...outer, ...left.names] : outer
    const right = random() < 0.75 ? randomItem(visible) : inParentheses(visible, depth)
    const names = [...left.names, ...right.names]
    const conditions: Readonly<Record<string, () => string>> = {
      'cross join': () => '',
      'full join': () => ` on ${column(left.names)} = ${column(right.names)}`,
    }
    const on = conditions[type]?.() ?? ` on ${condition(names)}`
    return { sql: `${left.sql} ${type} ${right.sql}${on}`, names }
  }

  function inParentheses(outer: readonly string[], depth: number): Part {
    const { sql, names } = randomTree(outer, depth - 1)
    return { sql: names.length > 1 ? `(${sql})` : sql, names }
  }

  function randomItem(outer: readonly string[]): Part {
    const name = fresh('x')
    const isLateral = outer.length > 0 && random() < 0.5
    const sql = isLateral
      ? `lateral (${randomLateral(outer)}) ${name}(n, m)`
      : pick([`${randomTable()} ${name}`, `(select m as n, 1 as m from ${randomTable()}) ${name}`])
    return { sql, names: [name] }
  }

  function randomTable(): string {
    return `main.${pick(['a', 'b', 'c'])}`
  }

  function randomLateral(outer: readonly string[]): string {
    const z = fresh('z')
    const value = column(outer)
    const rows = `${randomTable()} ${z} where ${z}.${pick(['n', 'm'])} = ${value}`
    const inner = randomFrom(outer, random() < 0.8 ? 0 : 1)
    const innerRows = `${inner.sql} where ${condition([...inner.names, ...outer])}`
    return pick([
      `select count(*)::int, max(${z}.m) from ${rows}`,
      `select max(${z}.n), 3 from ${rows} having count(*) > 0`,
      `select ${z}.n, ${z}.m from ${rows}`,
      `select ${z}.n + ${value}, 7 from ${rows}`,
      `select ${z}.n, ${z}.m from ${rows} order by ${z}.id limit ${pick([0, 1, 2])}`,
      `select distinct ${z}.m, ${value} from ${rows}`,
      `select ${z}.n, count(*)::int from ${rows} group by ${z}.n`,
      `select ${z}.n, ${z}.m from ${randomTable()} ${z} where ${z}.id = ${value}`,
      `select ${value} + 1, ${column(outer)}`,
      `select g, g + 1 from generate_series(1, ${value}) g`,
      `values (${value}, 1), (2, ${value})`,
      `select ${column(inner.names)}, ${column(inner.names)} from ${innerRows}`,
      `select sum(${column(inner.names)})::int, count(*)::int from ${innerRows}`,
    ])
  }
}
