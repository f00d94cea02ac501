/** @module Functions, operators, casts and types that PostgreSQL's documentation names, from its own catalogs. */
import type pg from 'pg'

/** A function, aggregate or window function; one for each overload. */
export interface FunctionObject {
  readonly name: string
  /** `f` function, `a` aggregate, `w` window function. */
  readonly kind: string
  /** `n` normal, `o` ordered set, `h` hypothetical set; null for what is no aggregate. */
  readonly aggregateKind: string | null
  readonly directArguments: number
  /** Names of types in pg_type. */
  readonly arguments: readonly string[]
  /** Type of each further argument of a variadic function. */
  readonly isVariadic: boolean
  readonly result: string
  readonly returnsSet: boolean
  readonly isVolatile: boolean
}

export interface OperatorObject {
  readonly name: string
  /** Null for a prefix operator. */
  readonly left: string | null
  readonly right: string
  readonly result: string
}

export interface CastObject {
  readonly source: string
  readonly target: string
}

export interface CatalogObjects {
  readonly functions: readonly FunctionObject[]
  readonly operators: readonly OperatorObject[]
  readonly casts: readonly CastObject[]
  /** Names of base types, ranges and multiranges. */
  readonly types: readonly string[]
}

export async function readObjects(client: pg.ClientBase): Promise<CatalogObjects> {
  return {
    functions: (await client.query<FunctionObject>(functionsQuery)).rows,
    operators: (await client.query<OperatorObject>(operatorsQuery)).rows,
    casts: (await client.query<CastObject>(castsQuery)).rows,
    types: (await client.query<{ name: string }>(typesQuery)).rows.map(({ name }) => name),
  }
}

/** Of the inside of the server: never values of a statement. */
const insideTypes = `('internal', 'cstring', 'trigger', 'event_trigger', 'language_handler',
  'index_am_handler', 'table_am_handler', 'fdw_handler', 'tsm_handler', 'pg_ddl_command', 'pg_node_tree',
  'pg_brin_bloom_summary', 'pg_brin_minmax_multi_summary', 'pg_ndistinct', 'pg_dependencies',
  'pg_mcv_list', 'void')`

/** Descriptions of functions that implement something else: an operator, an index, an aggregate. */
const insideDescriptions =
  '^(implementation of|I/O|internal|aggregate |window |(join|restriction) selectivity|less-equal|hash|' +
  'btree|BRIN|GIN|GiST|SP-GiST|deprecated|sort support|larger of two|smaller of two|increment|decrement|' +
  'float8 difference|.*transition function|combine aggregate|.*\\(internal\\)|for use by|' +
  'latest tid|equal image|convert .* to .* for|SQL99 )'

const functionsQuery = `
  select p.proname::text as name, p.prokind::text as kind, a.aggkind::text as "aggregateKind",
    coalesce(a.aggnumdirectargs, 0)::int as "directArguments",
    array(select t.typname::text from unnest(p.proargtypes) with ordinality as u(o, i)
      join pg_type t on t.oid = u.o order by i) as arguments,
    p.provariadic <> 0 as "isVariadic",
    r.typname::text as result, p.proretset as "returnsSet", p.provolatile = 'v' as "isVolatile"
  from pg_proc p
    join pg_type r on r.oid = p.prorettype
    left join pg_aggregate a on a.aggfnoid = p.oid
    left join pg_description d on d.objoid = p.oid and d.classoid = 'pg_proc'::regclass
  where p.pronamespace = 'pg_catalog'::regnamespace and p.oid < 16384
    and p.prokind in ('f', 'a', 'w')
    and p.proname !~ '_transfn$' and p.proname !~ '^(pg_|binary_upgrade|plpgsql_|gin_|brin_|bt|lo_|lowrite|loread|txid_|has_.*privilege)'
    and not exists (select from unnest(p.proargtypes::oid[] || p.prorettype) as u(o)
      join pg_type t on t.oid = u.o where t.typname in ${insideTypes})
    and d.description is not null and d.description !~ '${insideDescriptions}'
    and not exists (select from pg_cast c where c.castfunc = p.oid)
    and not (p.proname = p.prosrc and exists (select from pg_proc other where other.prosrc = p.prosrc
      and other.proname <> p.proname and other.proargtypes = p.proargtypes))
  order by p.proname, p.oid`

const operatorsQuery = `
  select o.oprname::text as name, l.typname::text as left, r.typname::text as right,
    t.typname::text as result
  from pg_operator o left join pg_type l on l.oid = o.oprleft
    join pg_type r on r.oid = o.oprright join pg_type t on t.oid = o.oprresult
  where o.oprnamespace = 'pg_catalog'::regnamespace and o.oid < 16384
  order by o.oprname, o.oid`

const castsQuery = `
  select s.typname::text as source, t.typname::text as target
  from pg_cast c join pg_type s on s.oid = c.castsource join pg_type t on t.oid = c.casttarget
  where c.oid < 16384 and s.typname !~ '^reg(config|dictionary)' and s.typname not in ${insideTypes} and t.typname not in ${insideTypes}
  order by s.typname, t.typname`

const typesQuery = `
  select typname::text as name from pg_type
  where typnamespace = 'pg_catalog'::regnamespace and oid < 16384 and typtype in ('b', 'r', 'm')
    and typcategory <> 'A' and typname not in ${insideTypes}
  order by typname`
