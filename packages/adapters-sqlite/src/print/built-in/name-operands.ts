/**
 * @module Names for long operands in plain SQL: columns of queries with one row.
 *
 * `f(a)` becomes `(select f(v1.x1) from (select a as x1) as v1)`; SQLite does not flatten a query without a FROM clause. Where
 * `a` itself uses such an operand, the queries are siblings instead of being nested, since the parser stack of a libSQL server
 * has a hundred symbols: `g(f(a) + 1)` becomes `(with v1(x1) as materialized (select a), v2(x1) as materialized (select f(v1.x1)
 * + 1 from v1) select g(v2.x1) from v2)`.
 */
import {
  commaList,
  joinSql,
  keyword,
  ownLevel,
  rewriteSql,
  type Sql,
  sql,
} from '@engine/core/print'

/** `body` with names for the values. */
export type Naming = (values: readonly Sql[], body: (...names: readonly Sql[]) => Sql) => Sql

interface NamedQuery {
  readonly alias: Sql
  readonly columns: readonly Sql[]
  readonly query: Sql
}

/** The parts of a fragment with named operands. */
interface Parts {
  /** Each may read the earlier ones. */
  readonly queries: readonly NamedQuery[]
  readonly body: Sql
}

/** For one statement: names are numbered. */
export function createNaming(): Naming {
  const known = new WeakMap<Sql, Parts>()
  let aliases = 0
  return (values, body) => {
    aliases += 1
    const alias = keyword(`v${aliases}`)
    const columns = values.map((_, index) => keyword(`x${index + 1}`))
    const inner = new Map<Sql, Parts>()
    const outputs = values.map((value, index) => {
      const computed = rewriteSql(value, (part) => {
        const parts = known.get(part)
        if (parts !== undefined) inner.set(part, parts)
        if (parts !== undefined) return sql`(${parts.body})`
        return isStrict(part) ? undefined : part
      })
      return sql`${computed} as ${columns[index] ?? alias}`
    })
    const read = [...inner.values()].flatMap(({ queries }) => queries.at(-1)?.alias ?? [])
    const from = read.length === 0 ? sql`` : sql` from ${commaList(read)}`
    const query = sql`select ${commaList(outputs)}${from}`
    const parts: Parts = {
      queries: [
        ...new Set([...inner.values()].flatMap(({ queries }) => queries)),
        { alias, columns, query },
      ],
      body: body(...columns.map((column) => sql`${alias}.${column}`)),
    }
    const fragment = ownLevel(written(parts, alias))
    known.set(fragment, parts)
    return fragment
  }
}

function written({ queries, body }: Parts, alias: Sql): Sql {
  const [first, ...others] = queries
  if (first !== undefined && others.length === 0) {
    return sql`(select ${body} from (${first.query}) as ${alias})`
  }
  const ctes = queries.map(
    (each) => sql`${each.alias}(${commaList(each.columns)}) as materialized (${each.query})`,
  )
  return sql`(with ${joinSql(ctes, ', ')} select ${body} from ${alias})`
}

/** Arithmetic computes every operand, so computing it earlier changes nothing. CASE and similar expressions do not. */
function isStrict({ pieces }: Sql): boolean {
  return pieces.every((piece) => {
    if (typeof piece !== 'string') return typeof piece === 'object'
    return /^[\s()+*/%&|~-]*$/.test(piece) || piece === 'abs'
  })
}
