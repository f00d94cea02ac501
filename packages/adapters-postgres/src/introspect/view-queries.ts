/** @module Queries on how PostgreSQL writes the rows of views. `$1` is the list of schemas. */
// cspell:ignore resno resname ressortgroupref resorigtbl resorigcol

/** Every view of the schemas with the views that it reads, however deep. */
const viewsBelow = `
  with recursive below(view, relation) as (
    select c.oid, c.oid
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any ($1::text[]) and c.relkind = 'v'
    union
    select b.view, c.oid
    from below b
    join pg_catalog.pg_rewrite r on r.ev_class = b.relation
    join pg_catalog.pg_depend d on d.objid = r.oid
      and d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
      and d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
    join pg_catalog.pg_class c on c.oid = d.refobjid and c.relkind = 'v'
  )`

export interface ViewRow {
  readonly relation: string
  /** Sums of `1 << command`: 4 is UPDATE, 8 INSERT, 16 DELETE. Those that PostgreSQL does on the table of the view. */
  readonly automatic: number
  /** Besides, those that a trigger or a rule does. */
  readonly possible: number
  /** Those for which the view, or one that it reads, has a rule. */
  readonly ruled: number
  /** Those for which the view, or one that it reads, has an INSTEAD OF trigger. */
  readonly triggered: number
}

export const viewsQuery: string = `${viewsBelow}
  select v.view::text as relation,
    pg_catalog.pg_relation_is_updatable(v.view, false) as automatic,
    pg_catalog.pg_relation_is_updatable(v.view, true) as possible,
    (select coalesce(pg_catalog.bit_or(1 << r.ev_type::text::int4), 0)
      from below b join pg_catalog.pg_rewrite r on r.ev_class = b.relation
      where b.view = v.view and r.ev_type <> '1') as ruled,
    (select coalesce(pg_catalog.bit_or(
        case when t.tgtype & 16 <> 0 then 4 else 0 end
        | case when t.tgtype & 4 <> 0 then 8 else 0 end
        | case when t.tgtype & 8 <> 0 then 16 else 0 end), 0)
      from below b join pg_catalog.pg_trigger t on t.tgrelid = b.relation
      where b.view = v.view and t.tgtype & 64 <> 0) as triggered
  from (select distinct b.view from below b) v
  order by v.view`

export interface ViewColumnRow {
  readonly relation: string
  readonly number: number
  /** The relation and the column whose cell it shows. */
  readonly origin: string
  readonly originNumber: number
  readonly originSchema: string
  readonly originName: string
  readonly originColumn: string
}

/**
 * The columns of views that PostgreSQL can write, each with the column that it shows. PostgreSQL keeps the origin of each column
 * in the text of the view's rule. That text has the columns of subqueries, too: only an origin that is the only one for its
 * number is taken.
 */
export const viewColumnsQuery: string = `${viewsBelow},
  targets as materialized (
    select r.ev_class as relation, t[1]::int4 as number, t[2]::pg_catalog.oid as origin, t[3]::int4 as "originNumber"
    from pg_catalog.pg_rewrite r
    cross join pg_catalog.regexp_matches(r.ev_action::text,
      ':resno ([0-9]+) :resname (?:\\\\.|[^ \\\\])* :ressortgroupref [0-9]+ :resorigtbl ([0-9]+) :resorigcol ([0-9]+)', 'g') as t
    where r.ev_type = '1' and r.ev_class in (select b.relation from below b) and t[2] <> '0'
    group by 1, 2, 3, 4
  )
  select t.relation::text as relation, t.number, t.origin::text as origin, t."originNumber",
    n.nspname as "originSchema", c.relname as "originName", a.attname as "originColumn"
  from targets t
  join pg_catalog.pg_class c on c.oid = t.origin
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_attribute a on a.attrelid = t.origin and a.attnum = t."originNumber"
  where pg_catalog.pg_column_is_updatable(t.relation, t.number::int2, false)
    and not exists (
      select from targets o
      where o.relation = t.relation and o.number = t.number
        and (o.origin <> t.origin or o."originNumber" <> t."originNumber"))
  order by t.relation, t.number`
