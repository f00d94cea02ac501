/** @module The query on types that users made, and those of extensions. The search path is empty meanwhile. */

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
