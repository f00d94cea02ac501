/** @module Moves WITH queries of inner queries next to those of outer queries that they refer to. */
import type {
  BoundStatement,
  CommonTable,
  CteId,
  FromItem,
  Query,
  Write,
} from '../bind/tree/bound-query.ts'
import { isWrite, mapQuery, mapStatement, mapWrite, type Rewriter } from '../bind/tree/map-query.ts'
import { visitQuery, visitWrite } from '../bind/tree/visit-query.ts'
import type { LoweringDialect } from './dialect.ts'

/**
 * `with a as (...) select (with b as (select x from a) select x from b)` as
 * `with a as (...), b as (select x from a) select (select x from b)`. A WITH query inside a recursion that it refers to stays.
 */
export function liftNestedWith(
  statement: BoundStatement,
  dialect: LoweringDialect,
): BoundStatement {
  if (dialect.withSeesOutside) return statement
  return mapStatement(statement, {
    query: (query) => {
      if (query.ctes.length === 0) return query
      const lift = createLift(query.ctes)
      const rest = mapQuery({ ...query, ctes: [] }, lift.rewriter)
      return { ...rest, ctes: lift.ctes }
    },
    write: (write) => {
      if (write.ctes.length === 0) return write
      const lift = createLift(write.ctes)
      const rest = mapWrite({ ...write, ctes: [] }, lift.rewriter)
      return { ...rest, ctes: lift.ctes }
    },
  })
}

interface Lift {
  /** Filled while `rewriter` is used. */
  readonly ctes: readonly CommonTable[]
  readonly rewriter: Rewriter
}

/** WITH queries further inside are already lifted to the level directly inside this one. */
function createLift(own: readonly CommonTable[]): Lift {
  const ctes: CommonTable[] = []
  const known = new Set<CteId>()
  const add = (cte: CommonTable) => {
    ctes.push(cte)
    known.add(cte.id)
  }
  const liftingUnless = (recursion: CteId | undefined): Rewriter => ({
    query: (query) => {
      const isStuck = recursion !== undefined && refersTo(query.ctes, new Set([recursion]))
      if (isStuck || !refersTo(query.ctes, known)) return query
      query.ctes.forEach(add)
      return { ...query, ctes: [] }
    },
  })
  for (const cte of own) add({ ...cte, query: mapBody(cte.query, liftingUnless(cte.id)) })
  return { ctes, rewriter: liftingUnless(undefined) }
}

function mapBody(body: Query | Write, rewriter: Rewriter): Query | Write {
  return isWrite(body) ? mapWrite(body, rewriter) : mapQuery(body, rewriter)
}

function refersTo(ctes: readonly CommonTable[], names: ReadonlySet<CteId>): boolean {
  let isFound = false
  const visitor = {
    fromItem: (item: FromItem) => {
      if (item.kind === 'cte' && names.has(item.cte)) isFound = true
    },
  }
  for (const { query } of ctes) {
    if (isWrite(query)) visitWrite(query, visitor)
    else visitQuery(query, visitor)
  }
  return isFound
}
