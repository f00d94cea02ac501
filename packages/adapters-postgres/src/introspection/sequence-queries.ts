/** @module Queries on sequences. `$1` is the list of schemas; the search path is empty meanwhile. */

export interface NamedSequenceRow {
  readonly schema: string
  readonly name: string
}

/** All of them, whatever they number. */
export const namedSequencesQuery = `
  select n.nspname as schema, c.relname as name
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any ($1::text[]) and c.relkind = 'S'
  order by n.nspname collate pg_catalog."C", c.relname collate pg_catalog."C"`

export interface SequenceRow {
  readonly relation: string
  readonly number: number
  readonly use: 'identity' | 'owned' | 'default'
  readonly schema: string
  readonly name: string
  /** `smallint`, `integer` or `bigint`. */
  readonly type: string
  readonly start: string
  readonly increment: string
  readonly minimum: string
  readonly maximum: string
  readonly cache: string
  readonly cycles: boolean
}

/** Sequences of identities, those that a column owns, and those that a default names; once for each column. */
export const sequencesQuery = `
  with used as (
    select d.objid as sequence, d.refobjid as relation, d.refobjsubid as number,
      case d.deptype when 'i' then 'identity' else 'owned' end as use
    from pg_catalog.pg_depend d
    where d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.deptype in ('a', 'i')
      and d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.refobjsubid > 0
    union all
    select d.refobjid, a.adrelid, a.adnum, 'default'
    from pg_catalog.pg_depend d
    join pg_catalog.pg_attrdef a on a.oid = d.objid
    where d.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass and d.deptype = 'n'
      and d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
  )
  select distinct on (u.relation, u.number, q.seqrelid)
    u.relation::text as relation, u.number::int4 as number, u.use, n.nspname as schema, c.relname as name,
    pg_catalog.format_type(q.seqtypid, null) as type, q.seqstart::text as start,
    q.seqincrement::text as increment, q.seqmin::text as minimum, q.seqmax::text as maximum,
    q.seqcache::text as cache, q.seqcycle as cycles
  from pg_catalog.pg_sequence q
  join used u on u.sequence = q.seqrelid
  join pg_catalog.pg_class c on c.oid = q.seqrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_class t on t.oid = u.relation
  join pg_catalog.pg_namespace m on m.oid = t.relnamespace
  where m.nspname = any ($1::text[])
  order by u.relation, u.number, q.seqrelid, u.use desc`
