/** @module A version of the schema, in one query: a tenth of the cost of introspection. */
import { GatewayError } from '@engine/core/adapter'
import type { ServerSession } from '../driver/session.ts'

/**
 * One number for each catalog table: the sum of the hashes of its rows that belong to the schemas. A change of the schema gives a
 * row another content or another creating transaction (`xmin`). For tables the content counts, since TRUNCATE, CLUSTER and
 * statistics give their rows new transactions.
 */
const versionQuery = `
  with relations as (
    select c.oid, c.relname, c.relkind, c.relrowsecurity, c.relforcerowsecurity, c.relispartition, c.relhasrules,
      c.reltype, c.relowner
    from pg_catalog.pg_class c
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any ($1::text[]) and c.relkind in ('r', 'p', 'f', 'v', 'm')
  )
  select pg_catalog.concat_ws(' ',
    (select coalesce(pg_catalog.sum(pg_catalog.hashtextextended(r::text, 0)), 0) from relations r),
    (select coalesce(pg_catalog.sum(pg_catalog.hashint8extended(a.xmin::text::int8, a.attrelid::int8 * 1600 + a.attnum)), 0)
      from pg_catalog.pg_attribute a join relations r on r.oid = a.attrelid where a.attnum > 0),
    (select coalesce(pg_catalog.sum(pg_catalog.hashint8extended(d.xmin::text::int8, d.oid::int8)), 0)
      from pg_catalog.pg_attrdef d join relations r on r.oid = d.adrelid),
    (select coalesce(pg_catalog.sum(pg_catalog.hashint8extended(o.xmin::text::int8, o.oid::int8)), 0)
      from pg_catalog.pg_constraint o where o.oid >= 16384),
    (select coalesce(pg_catalog.sum(pg_catalog.hashtextextended(
        pg_catalog.concat_ws(' ', i.xmin, x.relname), i.indexrelid::int8)), 0)
      from pg_catalog.pg_index i join relations r on r.oid = i.indrelid
      join pg_catalog.pg_class x on x.oid = i.indexrelid),
    (select coalesce(pg_catalog.sum(pg_catalog.hashint8extended(t.xmin::text::int8, t.oid::int8)), 0)
      from pg_catalog.pg_type t join pg_catalog.pg_namespace n on n.oid = t.typnamespace
      where t.oid >= 16384 and (n.nspname = any ($1::text[]) or t.typtype in ('e', 'd', 'c', 'b', 'r') and t.typrelid = 0
        and t.typelem = 0)),
    (select coalesce(pg_catalog.sum(pg_catalog.hashint8extended(e.xmin::text::int8, e.oid::int8)), 0) from pg_catalog.pg_enum e),
    (select coalesce(pg_catalog.sum(pg_catalog.hashint8extended(t.xmin::text::int8, t.oid::int8)), 0)
      from pg_catalog.pg_trigger t where t.tgtype & 64 <> 0 or t.tgrelid in (select r.oid from relations r)),
    (select coalesce(pg_catalog.sum(pg_catalog.hashint8extended(p.xmin::text::int8, p.oid::int8)), 0)
      from pg_catalog.pg_trigger t join relations r on r.oid = t.tgrelid
      join pg_catalog.pg_proc p on p.oid = t.tgfoid),
    (select coalesce(pg_catalog.sum(pg_catalog.hashint8extended(w.xmin::text::int8, w.oid::int8)), 0)
      from pg_catalog.pg_rewrite w where w.oid >= 16384),
    (select coalesce(pg_catalog.sum(pg_catalog.hashint8extended(h.xmin::text::int8, h.inhrelid::int8)), 0)
      from pg_catalog.pg_inherits h join relations r on r.oid = h.inhparent),
    (select coalesce(pg_catalog.sum(pg_catalog.hashtextextended(
        pg_catalog.concat_ws(' ', s::text, c.relname, c.relnamespace, d.refobjid, d.refobjsubid, d.deptype), 0)), 0)
      from pg_catalog.pg_sequence s join pg_catalog.pg_class c on c.oid = s.seqrelid
      left join pg_catalog.pg_depend d on d.objid = s.seqrelid and d.deptype in ('a', 'i')
        and d.classid = 'pg_catalog.pg_class'::pg_catalog.regclass),
    (select coalesce(pg_catalog.sum(pg_catalog.hashint8extended(d.xmin::text::int8, d.objoid::int8 * 1600 + d.objsubid)), 0)
      from pg_catalog.pg_description d where d.objoid >= 16384),
    (select coalesce(pg_catalog.sum(pg_catalog.hashtextextended(m::text, 0)), 0) from pg_catalog.pg_auth_members m)
  ) as schema,
  (select pg_catalog.md5(pg_catalog.string_agg(s.setconfig::text, ',' order by s.setdatabase, s.setrole))
    from pg_catalog.pg_db_role_setting s) as settings`

export interface SchemaVersion {
  /** Of tables, types and everything else that introspection reads. */
  readonly schema: string
  /** Of the settings of roles and databases, which new connections get; null without any. */
  readonly settings: string | null
}

/** Reads the version of some schemas, in the snapshot of its caller. */
export async function readSchemaVersion(
  session: ServerSession,
  schemas: readonly string[],
): Promise<SchemaVersion> {
  const [row] = await session.rows<SchemaVersion>(versionQuery, [schemas])
  if (row === undefined) throw new GatewayError('internal', 'a schema version without an answer')
  return row
}

/** @returns the version as one text. */
export function versionText({ schema, settings }: SchemaVersion): string {
  return `${schema} ${settings ?? ''}`
}
