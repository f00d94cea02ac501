// cspell:ignore varattno
/** @module Queries on keys, foreign keys, checks and indexes. `$1` is the list of schemas; the search path is empty meanwhile. */
import type { IndexMethod, IndexOrder } from '@engine/core/catalog'

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
