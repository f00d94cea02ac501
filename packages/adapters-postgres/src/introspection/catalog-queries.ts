/** @module Queries on PostgreSQL's system catalogs. `$1` is the list of schemas; the search path is empty meanwhile. */
import { viewsBelow } from './view-queries.ts'

export interface RelationRow {
  readonly oid: string
  readonly schema: string
  readonly name: string
  /** `r` table, `p` partitioned table, `f` foreign table, `v` view, `m` materialized view. */
  readonly relkind: string
  readonly rowType: string
  readonly rowArray: string
  /** The database chooses its rows, or rows of a table that a view reads, for the connection's role. */
  readonly hasRowSecurity: boolean
  readonly comment: string | null
}

/** Views that read tables with row security, however deep: it counts for the owner of the view that names the table, or for its reader. */
const chosenViews = `${viewsBelow}, chosen as (
    select b.view
    from below b
    join pg_catalog.pg_class v on v.oid = b.relation
    join pg_catalog.pg_rewrite r on r.ev_class = b.relation
    join pg_catalog.pg_depend d on d.objid = r.oid
      and d.classid = 'pg_catalog.pg_rewrite'::pg_catalog.regclass
      and d.refclassid = 'pg_catalog.pg_class'::pg_catalog.regclass
    join pg_catalog.pg_class t on t.oid = d.refobjid and t.relrowsecurity
    join pg_catalog.pg_roles reader on case
        when exists (select from pg_catalog.pg_options_to_table(v.reloptions)
          where option_name = 'security_invoker' and option_value::pg_catalog.bool)
        then reader.rolname = current_user else reader.oid = v.relowner end
    where not (reader.rolsuper or reader.rolbypassrls)
      and (t.relforcerowsecurity or not pg_catalog.pg_has_role(reader.oid, t.relowner, 'USAGE'))
  )`

/** Partitions are not among them, see `partitionsQuery`. */
export const relationsQuery: string = `${chosenViews}
  select c.oid::text as oid, n.nspname as schema, c.relname as name, c.relkind::text as relkind,
    c.reltype::text as "rowType", t.typarray::text as "rowArray",
    pg_catalog.row_security_active(c.oid) or c.oid in (select x.view from chosen x) as "hasRowSecurity",
    pg_catalog.obj_description(c.oid, 'pg_class') as comment
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_type t on t.oid = c.reltype
  where n.nspname = any ($1::text[]) and c.relkind in ('r', 'p', 'f', 'v', 'm') and not c.relispartition
  order by pg_catalog.array_position($1::text[], n.nspname::text), c.relname collate pg_catalog."C"`

export interface PartitionRow {
  readonly oid: string
  readonly schema: string
  readonly name: string
  /** Of the partitioned table, also for a partition of a partition. */
  readonly root: string
  readonly rowType: string
  readonly rowArray: string
  readonly columns: readonly string[]
  readonly hasRowSecurity: boolean
}

export const partitionsQuery = `
  with recursive partitions(oid, root) as (
    select h.inhrelid, h.inhparent
    from pg_catalog.pg_inherits h
    join pg_catalog.pg_class r on r.oid = h.inhparent
    join pg_catalog.pg_namespace n on n.oid = r.relnamespace
    where r.relkind = 'p' and not r.relispartition and n.nspname = any ($1::text[])
    union all
    select h.inhrelid, p.root from pg_catalog.pg_inherits h join partitions p on p.oid = h.inhparent
  )
  select c.oid::text as oid, n.nspname as schema, c.relname as name, p.root::text as root,
    c.reltype::text as "rowType", t.typarray::text as "rowArray",
    (select pg_catalog.array_agg(a.attname::text order by a.attnum) from pg_catalog.pg_attribute a
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped) as columns,
    pg_catalog.row_security_active(c.oid) as "hasRowSecurity"
  from partitions p
  join pg_catalog.pg_class c on c.oid = p.oid
  join pg_catalog.pg_type t on t.oid = c.reltype
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any ($1::text[]) and c.relkind in ('r', 'p', 'f')
  order by n.nspname collate pg_catalog."C", c.relname collate pg_catalog."C"`

export interface InheritanceRow {
  readonly child: string
  readonly parent: string
}

/** Tables that inherit from others; not those of partitions. */
export const inheritanceQuery = `
  select h.inhrelid::text as child, h.inhparent::text as parent
  from pg_catalog.pg_inherits h
  join pg_catalog.pg_class c on c.oid = h.inhrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where not c.relispartition and c.relkind in ('r', 'f') and n.nspname <> 'pg_catalog'
  order by h.inhrelid, h.inhparent`

export interface ColumnRow {
  readonly relation: string
  readonly number: number
  readonly name: string
  readonly type: string
  readonly typmod: number
  readonly native: string
  readonly notNull: boolean
  readonly hasDefault: boolean
  /** An expression; null without one, and for generated columns. */
  readonly defaultText: string | null
  /** Empty, `a` always or `d` by default. */
  readonly identity: string
  /** Empty, `s` stored or `v` virtual. */
  readonly generated: string
  /** Undefined: the type has no collation. */
  readonly collation: string | null
  readonly comment: string | null
}

/** \`collation\` is null where text is compared by its code points. */
export const columnsQuery = `
  select a.attrelid::text as relation, a.attnum::int4 as number, a.attname as name,
    a.atttypid::text as type, a.atttypmod as typmod,
    pg_catalog.format_type(a.atttypid, a.atttypmod) as native,
    a.attnotnull or t.typnotnull as "notNull",
    a.atthasdef or a.attidentity <> '' or t.typdefault is not null as "hasDefault",
    case when a.attgenerated = '' then pg_catalog.pg_get_expr(d.adbin, d.adrelid) end
      as "defaultText",
    a.attidentity::text as identity, a.attgenerated::text as generated,
    case
      when a.attcollation = 0 then null
      when a.attcollation = 100 then $2
      when l.collprovider = 'b' then null
      when l.collprovider = 'c' and pg_catalog.lower(l.collcollate) = any ($3) then null
      else l.collname
    end as collation,
    pg_catalog.col_description(a.attrelid, a.attnum) as comment
  from pg_catalog.pg_attribute a
  join pg_catalog.pg_class c on c.oid = a.attrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  join pg_catalog.pg_type t on t.oid = a.atttypid
  left join pg_catalog.pg_collation l on l.oid = a.attcollation
  left join pg_catalog.pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where n.nspname = any ($1::text[]) and c.relkind in ('r', 'p', 'f', 'v', 'm') and not c.relispartition
    and a.attnum > 0 and not a.attisdropped
  order by a.attrelid, a.attnum`

export interface DatabaseRow {
  /** As in `server_version_num`: 150018 is 15.18. */
  readonly version: number
  /** All columns of pg_database: their names differ between versions. */
  readonly database: Readonly<Record<string, unknown>>
  /** The name of the first schema as PostgreSQL quotes it. */
  readonly schema: string
}

export const databaseQuery = `
  select pg_catalog.current_setting('server_version_num')::int4 as version,
    pg_catalog.to_jsonb(d) as database, pg_catalog.quote_ident(($1::text[])[1]) as schema
  from pg_catalog.pg_database d where d.datname = pg_catalog.current_database()`

export interface TriggerRow {
  readonly relation: string
  /** Source text where `language` is `plpgsql`. */
  readonly source: string
  readonly language: string
}

/** Triggers that may change a row before it is stored. A partition has those of its table, and may have its own. */
export const triggersQuery = `
  with recursive roots(oid, root) as (
    select h.inhrelid, h.inhparent
    from pg_catalog.pg_inherits h
    join pg_catalog.pg_class r on r.oid = h.inhparent
    where r.relkind = 'p' and not r.relispartition
    union all
    select h.inhrelid, s.root from pg_catalog.pg_inherits h join roots s on s.oid = h.inhparent
  )
  select coalesce(h.root, c.oid)::text as relation, p.prosrc as source, l.lanname as language
  from pg_catalog.pg_trigger t
  join pg_catalog.pg_class c on c.oid = t.tgrelid
  left join roots h on h.oid = c.oid
  join pg_catalog.pg_class r on r.oid = coalesce(h.root, c.oid)
  join pg_catalog.pg_namespace n on n.oid = r.relnamespace
  join pg_catalog.pg_proc p on p.oid = t.tgfoid
  join pg_catalog.pg_language l on l.oid = p.prolang
  where n.nspname = any ($1::text[]) and not t.tgisinternal and t.tgenabled <> 'D'
    and (t.tgtype & 1) = 1 and (t.tgtype & 2) = 2 and (t.tgtype & 20) <> 0
  order by t.oid`

export interface PlainTableRow {
  readonly relation: string
}

/** Tables for which an INSERT runs no code of a user: see `Table.hasPlainInserts`. Oids below 16384 are PostgreSQL's own. */
export const plainTablesQuery = `
  select c.oid::text as relation
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any ($1::text[]) and c.relkind = 'r' and not c.relispartition
    and not c.relhasrules and not c.relrowsecurity
    and not exists (
      select from pg_catalog.pg_trigger t
      where t.tgrelid = c.oid and not t.tgisinternal and (t.tgtype & 4) <> 0)
    and not exists (
      select from pg_catalog.pg_attribute a
      join pg_catalog.pg_type t on t.oid = a.atttypid
      where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        and t.oid >= 16384 and t.typtype <> 'e')
    and not exists (
      select from pg_catalog.pg_depend d
      where d.refobjid >= 16384
        and d.refclassid in ('pg_catalog.pg_proc'::pg_catalog.regclass,
          'pg_catalog.pg_operator'::pg_catalog.regclass, 'pg_catalog.pg_opclass'::pg_catalog.regclass)
        and ((d.classid = 'pg_catalog.pg_attrdef'::pg_catalog.regclass
            and d.objid in (select e.oid from pg_catalog.pg_attrdef e where e.adrelid = c.oid))
          or (d.classid = 'pg_catalog.pg_constraint'::pg_catalog.regclass
            and d.objid in (select o.oid from pg_catalog.pg_constraint o where o.conrelid = c.oid))
          or (d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass
            and d.objid in (select i.indexrelid from pg_catalog.pg_index i where i.indrelid = c.oid))))`
