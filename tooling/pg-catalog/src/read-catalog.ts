/** @module Reads pg_type, pg_proc, pg_operator, pg_cast and pg_opclass of a running PostgreSQL. */
import type pg from 'pg'

export interface TypeRecord {
  readonly oid: number
  readonly name: string
  readonly category: string
  readonly isPreferred: boolean
  /** `b` base, `p` pseudo, `r` range, `m` multirange. */
  readonly kind: string
  readonly elementOid: number
  readonly arrayOid: number
  readonly isCollatable: boolean
  readonly delimiter: string
  /** Of a value of fixed length: the type of its parts, such as the coordinates of a point. 0 = none. */
  readonly partOid: number
  /** Of a range; null for other types. */
  readonly subtypeOid: number | null
  readonly multirangeOid: number | null
}

export interface FunctionRecord {
  readonly oid: number
  readonly name: string
  /** `f` function, `a` aggregate, `w` window function, `p` procedure. */
  readonly kind: string
  /** `n` normal, `o` ordered set, `h` hypothetical set; null for other functions. */
  readonly aggregateKind: string | null
  readonly directArgumentCount: number
  readonly argumentOids: readonly number[]
  /** Names of the input arguments, or null. */
  readonly argumentNames: readonly string[] | null
  readonly variadicOid: number
  readonly defaultCount: number
  readonly resultOid: number
  readonly returnsSet: boolean
  readonly outputNames: readonly string[] | null
  readonly outputOids: readonly number[] | null
  readonly isStrict: boolean
  /** `i` immutable, `s` stable, `v` volatile. */
  readonly volatility: string
  readonly isLeakproof: boolean
}

export interface OperatorRecord {
  readonly oid: number
  readonly name: string
  readonly leftOid: number
  readonly rightOid: number
  readonly resultOid: number
  readonly functionOid: number
  readonly commutatorOid: number
  readonly negatorOid: number
}

export interface CastRecord {
  readonly sourceOid: number
  readonly targetOid: number
  /** `i` implicit, `a` assignment, `e` explicit. */
  readonly context: string
  /** `f` function, `b` binary, `i` through text. */
  readonly method: string
  readonly functionOid: number
}

export interface ComparisonRecord {
  readonly typeOid: number
  readonly equalOid: number
  readonly lessOid: number
  readonly greaterOid: number
}

export interface CatalogRecords {
  readonly types: readonly TypeRecord[]
  readonly functions: readonly FunctionRecord[]
  readonly operators: readonly OperatorRecord[]
  readonly casts: readonly CastRecord[]
  readonly comparisons: readonly ComparisonRecord[]
}

/** Built-in objects only (oid below 16384), in oid order. Fails on any major version but 15. */
export async function readCatalog(client: pg.ClientBase): Promise<CatalogRecords> {
  const version = await client.query<{ version: number }>(
    `select current_setting('server_version_num')::int / 10000 as version`,
  )
  if (version.rows[0]?.version !== 15) throw new Error('the tables are made from PostgreSQL 15')
  return {
    types: (await client.query<TypeRecord>(typesQuery)).rows,
    functions: (await client.query<FunctionRecord>(functionsQuery)).rows.map(leakproofInFact),
    operators: (await client.query<OperatorRecord>(operatorsQuery)).rows,
    casts: (await client.query<CastRecord>(castsQuery)).rows,
    comparisons: (await client.query<ComparisonRecord>(comparisonsQuery)).rows,
  }
}

/** PostgreSQL marks them leakproof, although an area or a length may overflow (22003). */
function leakproofInFact(record: FunctionRecord): FunctionRecord {
  return overflows.test(record.name) ? { ...record, isLeakproof: false } : record
}

const overflows = /^(?:circle_(?:eq|ne|lt|gt|le|ge)|lseg_(?:lt|le|gt|ge))$/

const typesQuery = `
  select oid::int as oid, typname::text as name, typcategory::text as category,
    typispreferred as "isPreferred", typtype::text as kind, typarray::int as "arrayOid",
    case when typsubscript = 'array_subscript_handler'::regproc and typlen = -1
      then typelem::int else 0 end as "elementOid",
    typcollation <> 0 as "isCollatable", typdelim::text as delimiter,
    case when typsubscript = 'raw_array_subscript_handler'::regproc and typcategory = 'G'
      then typelem::int else 0 end as "partOid",
    rngsubtype::int as "subtypeOid", rngmultitypid::int as "multirangeOid"
  from pg_type t left join pg_range r on r.rngtypid = t.oid
  where typnamespace = 'pg_catalog'::regnamespace and oid < 16384 and typrelid = 0
    and not exists (select from pg_type e where e.oid = t.typelem and e.typrelid <> 0)
  order by t.oid`

const functionsQuery = `
  select p.oid::int as oid, proname::text as name, prokind::text as kind,
    aggkind::text as "aggregateKind", coalesce(aggnumdirectargs, 0)::int as "directArgumentCount",
    proargtypes::oid[]::int[] as "argumentOids",
    case when proargmodes is null then proargnames else (
      select array_agg(n order by i)
      from unnest(proargnames, proargmodes) with ordinality as a(n, m, i) where m in ('i', 'b', 'v')
    ) end as "argumentNames",
    provariadic::int as "variadicOid", pronargdefaults::int as "defaultCount",
    prorettype::int as "resultOid", proretset as "returnsSet",
    (select array_agg(n order by i)
      from unnest(proargnames, proargmodes) with ordinality as a(n, m, i)
      where m in ('o', 'b', 't')) as "outputNames",
    (select array_agg(t::int order by i)
      from unnest(proallargtypes, proargmodes) with ordinality as a(t, m, i)
      where m in ('o', 'b', 't')) as "outputOids",
    proisstrict as "isStrict", provolatile::text as volatility, proleakproof as "isLeakproof"
  from pg_proc p left join pg_aggregate a on a.aggfnoid = p.oid
  where pronamespace = 'pg_catalog'::regnamespace and p.oid < 16384
  order by p.oid`

const operatorsQuery = `
  select oid::int as oid, oprname::text as name, oprleft::int as "leftOid",
    oprright::int as "rightOid", oprresult::int as "resultOid", oprcode::oid::int as "functionOid",
    oprcom::int as "commutatorOid", oprnegate::int as "negatorOid"
  from pg_operator where oprnamespace = 'pg_catalog'::regnamespace and oid < 16384
  order by oid`

const castsQuery = `
  select castsource::int as "sourceOid", casttarget::int as "targetOid",
    castcontext::text as context, castmethod::text as method, castfunc::int as "functionOid"
  from pg_cast where oid < 16384
  order by castsource, casttarget`

const comparisonsQuery = `
  select opcintype::int as "typeOid",
    coalesce(
      max(amopopr::int) filter (where amname = 'btree' and amopstrategy = 3),
      max(amopopr::int) filter (where amname = 'hash' and amopstrategy = 1)) as "equalOid",
    coalesce(max(amopopr::int) filter (where amname = 'btree' and amopstrategy = 1), 0) as "lessOid",
    coalesce(max(amopopr::int) filter (where amname = 'btree' and amopstrategy = 5), 0) as "greaterOid"
  from pg_opclass c join pg_am m on m.oid = opcmethod and amname in ('btree', 'hash')
    join pg_amop on amopfamily = opcfamily
      and amoplefttype = opcintype and amoprighttype = opcintype
  where opcdefault and c.oid < 16384
  group by opcintype
  order by opcintype`
