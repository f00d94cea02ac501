// cspell:ignore varattno
/** @module Queries on PostgreSQL's system catalogs. `$1` is the list of schemas; the search path is empty meanwhile. */
import type { IndexMethod, IndexOrder } from '@engine/core/catalog'
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

export interface KeyRow {
  readonly relation: string
  readonly isPrimary: boolean
  readonly columns: readonly number[]
  /** Null for an index without a constraint. */
  readonly constraint: string | null
  /**
   * Identifies one row of the table at any time: it is checked at once, its columns are NOT NULL and have the usual
   * equality, and no other table inherits from this one.
   */
  readonly isProven: boolean
}

/**
 * Unique keys of all rows: no partial, expression or unfinished ones, and only the primary key of the deferrable ones.
 */
export const keysQuery = `
  select i.indrelid::text as relation, i.indisprimary as "isPrimary",
    (select pg_catalog.array_agg(k.number::int4 order by k.position)
      from pg_catalog.unnest(i.indkey::int2[]) with ordinality as k(number, position)
      where k.position <= i.indnkeyatts) as columns,
    (select o.conname::text from pg_catalog.pg_constraint o
      where o.conindid = i.indexrelid and o.contype in ('p', 'u')) as constraint,
    i.indimmediate
      and (c.relkind = 'p' or not exists (
        select from pg_catalog.pg_inherits h where h.inhparent = c.oid))
      and not exists (
        select
        from rows from (
          pg_catalog.unnest(i.indkey::int2[]), pg_catalog.unnest(i.indcollation::oid[]),
          pg_catalog.unnest(i.indclass::oid[])) with ordinality as k(number, collated, class, position)
        join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
        join pg_catalog.pg_opclass o on o.oid = k.class
        where k.position <= i.indnkeyatts
          and (not a.attnotnull or k.collated <> a.attcollation or not o.opcdefault)) as "isProven"
  from pg_catalog.pg_index i
  join pg_catalog.pg_class c on c.oid = i.indrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any ($1::text[]) and not c.relispartition and i.indisunique and i.indisvalid
    and (i.indimmediate or i.indisprimary) and i.indpred is null and i.indexprs is null
  order by i.indexrelid`

export interface UniqueIndexRow {
  readonly relation: string
  readonly name: string
  readonly parts: readonly {
    /** A column or an expression, which has parentheses unless it is a call. */
    readonly native: string
    /** Null where the part has no collation. */
    readonly collation: NameRow | null
    readonly operatorClass: NameRow
  }[]
  /** Null for an index over all rows. */
  readonly condition: string | null
  /** Its operator classes are PostgreSQL's own, and its collations equate equal bytes only. */
  readonly isUsual: boolean
}

interface NameRow {
  readonly name: string
  readonly native: string
}

/** Unique indexes of expressions, of some rows, or with a collation or an operator class that is not the usual one. */
export const uniqueIndexesQuery = `
  select i.indrelid::text as relation, x.relname as name,
    (select pg_catalog.json_agg(pg_catalog.json_build_object(
        'native', pg_catalog.pg_get_indexdef(i.indexrelid, k.position::int4, true),
        'collation', case when l.oid is not null then pg_catalog.json_build_object('name', l.collname,
          'native', pg_catalog.format('%I.%I', ln.nspname, l.collname)) end,
        'operatorClass', pg_catalog.json_build_object('name', o.opcname,
          'native', pg_catalog.format('%I.%I', np.nspname, o.opcname))) order by k.position)
      from rows from (
        pg_catalog.unnest(i.indcollation::oid[]), pg_catalog.unnest(i.indclass::oid[]))
        with ordinality as k(collated, class, position)
      join pg_catalog.pg_opclass o on o.oid = k.class
      join pg_catalog.pg_namespace np on np.oid = o.opcnamespace
      left join pg_catalog.pg_collation l on l.oid = k.collated
      left join pg_catalog.pg_namespace ln on ln.oid = l.collnamespace
      where k.position <= i.indnkeyatts) as parts,
    pg_catalog.pg_get_expr(i.indpred, i.indrelid, true) as condition,
    not exists (
      select
      from pg_catalog.unnest(i.indcollation::oid[]) as k(collated)
      join pg_catalog.pg_collation l on l.oid = k.collated and not l.collisdeterministic)
    and not exists (select from pg_catalog.unnest(i.indclass::oid[]) as k(class) where k.class >= 16384) as "isUsual"
  from pg_catalog.pg_index i
  join pg_catalog.pg_class x on x.oid = i.indexrelid
  join pg_catalog.pg_class c on c.oid = i.indrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any ($1::text[]) and not c.relispartition and i.indisunique and i.indisvalid and i.indimmediate
    and (i.indpred is not null or i.indexprs is not null
      or exists (
        select
        from rows from (
          pg_catalog.unnest(i.indcollation::oid[]), pg_catalog.unnest(i.indclass::oid[])) as k(collated, class)
        join pg_catalog.pg_opclass o on o.oid = k.class
        where k.collated not in (0, 100) or not o.opcdefault))
  order by i.indexrelid`

export interface ForeignKeyRow {
  readonly relation: string
  readonly name: string
  readonly columns: readonly number[]
  readonly target: string
  readonly targetColumns: readonly number[]
  readonly cascades: boolean
  /** Values as in `pg_constraint`: a no action, r restrict, c cascade, n set null, d set default. */
  readonly onDelete: string
  readonly onUpdate: string
}

export const foreignKeysQuery = `
  select o.conrelid::text as relation, o.conname as name, o.conkey::int4[] as columns,
    o.confrelid::text as target, o.confkey::int4[] as "targetColumns",
    o.confdeltype = 'c' as cascades, o.confdeltype::text as "onDelete", o.confupdtype::text as "onUpdate"
  from pg_catalog.pg_constraint o
  join pg_catalog.pg_class c on c.oid = o.conrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any ($1::text[]) and o.contype = 'f' and o.conparentid = 0 and not c.relispartition
  order by o.conname collate pg_catalog."C", o.oid`

export interface CheckRow {
  readonly relation: string
  readonly name: string
  readonly columns: readonly number[]
  readonly definition: string
}

export const checksQuery = `
  select o.conrelid::text as relation, o.conname as name,
    coalesce(o.conkey::int4[], '{}') as columns, pg_catalog.pg_get_constraintdef(o.oid) as definition
  from pg_catalog.pg_constraint o
  join pg_catalog.pg_class c on c.oid = o.conrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any ($1::text[]) and o.contype = 'c' and o.convalidated and not c.relispartition
  order by o.conname collate pg_catalog."C", o.oid`

export interface IndexRow {
  readonly relation: string
  readonly name: string
  readonly columns: readonly number[]
  readonly orders: readonly IndexOrder[]
  readonly method: IndexMethod | 'btree'
  readonly isUnique: boolean
  /** Numbers of all columns that it depends on, once each; null without expressions and condition. */
  readonly named: readonly number[] | null
  /** By part: an expression, or null for a column; null without expressions. */
  readonly expressions: readonly (string | null)[] | null
  /** Null for an index over all rows. */
  readonly condition: string | null
}

/**
 * Indexes that belong to no constraint. Other ones than B-trees with default operator classes only. Expressions name at least one
 * column, and none the whole row or a system column, which depends on columns that it does not name.
 */
export const indexesQuery = `
  select i.indrelid::text as relation, x.relname as name, i.indisunique as "isUnique",
    (select pg_catalog.array_agg(k.number::int4 order by k.position)
      from pg_catalog.unnest(i.indkey::int2[]) with ordinality as k(number, position)) as columns,
    case when i.indexprs is not null or i.indpred is not null then
      (select pg_catalog.array_agg(distinct d.refobjsubid order by d.refobjsubid) from pg_catalog.pg_depend d
        where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = i.indexrelid
          and d.refclassid = 'pg_catalog.pg_class'::regclass and d.refobjid = i.indrelid and d.refobjsubid > 0) end as named,
    case when i.indexprs is not null then
      (select pg_catalog.array_agg(case when k.number = 0
          then pg_catalog.pg_get_indexdef(i.indexrelid, k.position::int4, true) end order by k.position)
        from pg_catalog.unnest(i.indkey::int2[]) with ordinality as k(number, position)) end as expressions,
    pg_catalog.pg_get_expr(i.indpred, i.indrelid) as condition,
    (select pg_catalog.array_agg((array['asc', 'desc nulls last', 'asc nulls first', 'desc'])[k.bits + 1] order by k.position)
      from pg_catalog.unnest(i.indoption::int2[]) with ordinality as k(bits, position)) as orders,
    m.amname as method
  from pg_catalog.pg_index i
  join pg_catalog.pg_class x on x.oid = i.indexrelid
  join pg_catalog.pg_am m on m.oid = x.relam
  join pg_catalog.pg_class c on c.oid = i.indrelid
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where n.nspname = any ($1::text[]) and not c.relispartition and c.relkind in ('r', 'p')
    and (m.amname = 'btree' or m.amname in ('hash', 'gist', 'gin', 'spgist', 'brin') and not exists (
      select from pg_catalog.pg_opclass o where o.oid = any (i.indclass::oid[]) and not o.opcdefault))
    and i.indisvalid and i.indnatts = i.indnkeyatts
    and pg_catalog.concat(i.indexprs::text, i.indpred::text) !~ ':varattno (0|-)'
    and (i.indexprs is null and i.indpred is null or pg_catalog.concat(i.indexprs::text, i.indpred::text) ~ ':varattno [1-9]')
    and not exists (select from pg_catalog.pg_constraint o where o.conindid = i.indexrelid and o.contype in ('p', 'u', 'x'))
  order by x.relname collate pg_catalog."C"`

export interface AttributeRow {
  readonly name: string
  readonly type: string
  readonly typmod: number
}

export interface TypeRow {
  readonly oid: string
  readonly name: string
  readonly schema: string
  readonly category: string
  readonly isPreferred: boolean
  /** `b` base, `c` composite, `d` domain, `e` enum, `r` range, `m` multirange. */
  readonly typtype: string
  /** 0 = none. */
  readonly relation: string
  /** A composite type of its own: not the row type of a table or view. */
  readonly standsAlone: boolean
  readonly element: string
  readonly array: string
  readonly base: string
  readonly baseTypmod: number
  readonly notNull: boolean
  readonly isCollatable: boolean
  readonly delimiter: string
  /** Of a range; null for other types. */
  readonly subtype: string | null
  /** Null before PostgreSQL 14. */
  readonly multirange: string | null
  readonly labels: readonly string[] | null
  /** Of the labels, as texts of numbers. */
  readonly sortOrders: readonly string[] | null
  /** Definitions of a domain's checks: `CHECK ((VALUE > 0))`. */
  readonly checks: readonly string[] | null
  readonly comment: string | null
  /** Attributes of a composite type. */
  readonly attributes: readonly AttributeRow[] | null
}

/** Every type that is not built into PostgreSQL. */
export const typesQuery = `
  select t.oid::text as oid, t.typname as name, n.nspname as schema, t.typcategory::text as category,
    t.typispreferred as "isPreferred", t.typtype::text as typtype, t.typrelid::text as relation,
    coalesce((select c.relkind = 'c' from pg_catalog.pg_class c where c.oid = t.typrelid), false) as "standsAlone",
    t.typelem::text as element, t.typarray::text as array, t.typbasetype::text as base,
    t.typtypmod as "baseTypmod", t.typnotnull as "notNull", t.typcollation <> 0 as "isCollatable",
    t.typdelim::text as delimiter, r.rngsubtype::text as subtype,
    pg_catalog.to_jsonb(r) ->> 'rngmultitypid' as multirange,
    (select pg_catalog.array_agg(e.enumlabel::text order by e.enumsortorder)
      from pg_catalog.pg_enum e where e.enumtypid = t.oid) as labels,
    (select pg_catalog.array_agg(e.enumsortorder::text order by e.enumsortorder)
      from pg_catalog.pg_enum e where e.enumtypid = t.oid) as "sortOrders",
    (select pg_catalog.array_agg(pg_catalog.pg_get_constraintdef(o.oid) order by o.oid)
      from pg_catalog.pg_constraint o
      where o.contypid = t.oid and o.contype = 'c' and o.convalidated) as checks,
    pg_catalog.obj_description(t.oid, 'pg_type') as comment,
    (select pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object(
        'name', a.attname, 'type', a.atttypid::text, 'typmod', a.atttypmod) order by a.attnum)
      from pg_catalog.pg_attribute a
      where t.typtype = 'c' and a.attrelid = t.typrelid and a.attnum > 0 and not a.attisdropped)
      as attributes
  from pg_catalog.pg_type t
  join pg_catalog.pg_namespace n on n.oid = t.typnamespace
  left join pg_catalog.pg_range r on r.rngtypid = t.oid
  where n.nspname <> 'pg_catalog' and t.typisdefined and t.typtype <> 'p'
  order by t.oid`

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
