/** @module Queries on how PostgreSQL writes the rows of views. `$1` is the list of schemas. */

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

export interface ViewRuleRow {
  readonly relation: string
  /** The query of the view, as PostgreSQL stores it. */
  readonly rule: string
}

/** The queries of the views that PostgreSQL writes on a table. */
export const viewRulesQuery: string = `${viewsBelow}
  select r.ev_class::text as relation, r.ev_action::text as rule
  from pg_catalog.pg_rewrite r
  where r.ev_type = '1' and r.ev_class in (select b.relation from below b)
    and pg_catalog.pg_relation_is_updatable(r.ev_class, false) <> 0
  order by r.ev_class`

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

/** Those that PostgreSQL can write, of columns of views with their origins: `$1` and `$2` are the columns, `$3` and `$4` the origins. */
export const viewColumnsQuery = `
  select t.relation::text as relation, t.number, t.origin::text as origin, t.origin_number as "originNumber",
    n.nspname as "originSchema", c.relname as "originName", a.attname as "originColumn"
  from rows from (pg_catalog.unnest($1::oid[]), pg_catalog.unnest($2::int4[]), pg_catalog.unnest($3::oid[]),
    pg_catalog.unnest($4::int4[])) as t(relation, number, origin, origin_number)
  join pg_catalog.pg_class c on c.oid = t.origin
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_attribute a on a.attrelid = t.origin and a.attnum = t.origin_number
  where pg_catalog.pg_column_is_updatable(t.relation, t.number::int2, false)
  order by t.relation, t.number`
