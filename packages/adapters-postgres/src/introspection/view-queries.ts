/** @module Queries on how PostgreSQL writes the rows of views. `$1` is the list of schemas. */

/** Every view of the schemas with the views that it reads, however deep. */
export const viewsBelow = `
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

export interface TableRuleRow {
  readonly relation: string
  /** As in `ViewRow`: those for which the table has a rule that is not disabled. */
  readonly ruled: number
}

/** Tables of any schema, since a view may write them. */
export const tableRulesQuery = `
  select r.ev_class::text as relation, pg_catalog.bit_or(1 << r.ev_type::text::int4) as ruled
  from pg_catalog.pg_rewrite r
  join pg_catalog.pg_class c on c.oid = r.ev_class
  where c.relkind in ('r', 'p', 'f') and r.ev_type <> '1' and r.ev_enabled <> 'D'
  group by r.ev_class order by r.ev_class`

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

export interface ViewDefinitionRow {
  readonly relation: string
  readonly text: string
  readonly pretty: string
  /** The tables and views that the query names. */
  readonly reads: readonly string[]
  /** See `ViewDefinition.isPlain`. */
  readonly isPlain: boolean
}

/** OIDs that follow a word in the stored query of a view. In names every space has a backslash before it, and texts are numbers of bytes. */
const numbersAfter = (word: string): string =>
  `select m[1]::oid from pg_catalog.regexp_matches(r.ev_action::text, ':${word} (\\d+)', 'g') m`

/** Types of arguments by which a function could look something up by its name. */
const names = `'{text,varchar,bpchar,name,cstring,regclass,regproc,regprocedure,regtype,regnamespace,regrole}'`

/**
 * The queries of the views, whose texts depend on the search path. What PostgreSQL itself brings has no dependencies: its tables
 * and functions are looked up in the stored query.
 */
export const viewDefinitionsQuery: string = `
  with rules as (
    select r.oid, r.ev_class, r.ev_action
    from pg_catalog.pg_rewrite r
    join pg_catalog.pg_class c on c.oid = r.ev_class
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where r.ev_type = '1' and n.nspname = any ($1::text[]) and c.relkind in ('v', 'm')
  ), reads as (
    select r.oid as rule, n.oid as reads from rules r
    cross join lateral (${numbersAfter('relid')}) n(oid)
    where n.oid not in (0, r.ev_class)
    union
    select r.oid, d.refobjid from rules r
    join pg_catalog.pg_depend d on d.objid = r.oid and d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
    where d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass and d.refobjid <> r.ev_class
  )
  select r.ev_class::text as relation, pg_catalog.pg_get_viewdef(r.ev_class) as text,
    pg_catalog.pg_get_viewdef(r.ev_class, true) as pretty,
    (select coalesce(pg_catalog.array_agg(c.oid::text), '{}') from pg_catalog.pg_class c
      where c.oid in (select x.reads from reads x where x.rule = r.oid)
        and c.oid >= 16384 and c.relkind in ('r', 'p', 'f', 'v', 'm')) as reads,
    not exists (select from reads x join pg_catalog.pg_class c on c.oid = x.reads
        where x.rule = r.oid and (c.oid < 16384 or c.relkind not in ('r', 'p', 'f', 'v', 'm')))
      and not exists (select from pg_catalog.pg_depend d
        where d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass and d.objid = r.oid
          and d.refclassid <> 'pg_catalog.pg_class'::pg_catalog.regclass)
      and not exists (select from pg_catalog.pg_proc p
        where p.oid in (${numbersAfter('funcid')})
          and (p.provolatile = 'v' or p.provolatile = 's'
            and p.proargtypes::oid[] && ${names}::pg_catalog.regtype[]::oid[])) as "isPlain"
  from rules r order by r.ev_class`
