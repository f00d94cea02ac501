/**
 * @module What is known of views. Views are empty copies: the query of a copy is not that of the view, and nothing can be written
 * through it. So both are kept in a table that clients cannot read, and PostgreSQL's functions look there. The system's own views
 * have what they have.
 */

import { viewFactsTable } from '../mirror/mirror-view-facts.ts'
import { presetNumbers } from '../mirror/preset-numbers.ts'

/** The first OID of an object that is no part of PostgreSQL itself. */
const firstOwnOid = 16_384

/** Clients cannot call `engine_original_…`. */
const originals = `
  create function pg_catalog.engine_original_viewdef(oid, boolean) returns text
    language internal stable strict as 'pg_get_viewdef_ext';
  create function pg_catalog.engine_original_ruledef(oid, boolean) returns text
    language internal stable strict as 'pg_get_ruledef_ext';
  create function pg_catalog.engine_original_relation_updatable(regclass, boolean) returns integer
    language internal stable strict as 'pg_relation_is_updatable';
  create function pg_catalog.engine_original_column_updatable(regclass, smallint, boolean) returns boolean
    language internal stable strict as 'pg_column_is_updatable';`

function answer(name: string, parameters: string, type: string, body: string): string {
  return `
  create function pg_catalog.${name}(${parameters}) returns ${type} language sql stable strict security definer as $$
    ${body}
  $$;`
}

/**
 * PostgreSQL calls functions of its own by their number, unless they are short SQL that it can put in their place: each parameter
 * once, since it would not repeat a subquery.
 */
function replace(name: string, parameters: string, type: string, body: string): string {
  return `
  create or replace function pg_catalog.${name}(${parameters}) returns ${type} language sql stable parallel safe as
    'select pg_catalog.${body}';`
}

/** Definitions of system views are shown to owners only, so to no client. Of other views only visible definitions are stored: they are shown. */
const definitionsInSchema = `
do $$ declare
  definition text := pg_catalog.pg_get_viewdef('information_schema.views'::regclass);
  owner text := $q$pg_has_role(c.relowner, 'USAGE'::text) THEN pg_get_viewdef$q$;
begin
  if strpos(definition, owner) = 0 then raise 'information_schema.views is another one'; end if;
  execute 'create or replace view information_schema.views as '
    || replace(definition, owner, 'c.oid >= ${firstOwnOid} or ' || owner);
end $$;`

/** @param oid of the table, and of the type of its rows and of their arrays after it. */
export function viewFacts(oid: number): string {
  const numbers = { relation: oid, isStored: true, type: oid + 1, array: oid + 2 }
  return `
${presetNumbers(numbers)}
create table ${viewFactsTable} (view oid, fact text, piece integer, value text);
revoke all on ${viewFactsTable} from public;
${originals}
${answer('engine_view_fact', 'oid, text', 'text', `select pg_catalog.string_agg(value, '' order by piece) from ${viewFactsTable} where view = $1 and fact = $2`)}
${answer(
  'engine_viewdef',
  'oid, boolean',
  'text',
  `select case when $1 < ${firstOwnOid} then pg_catalog.engine_original_viewdef($1, $2)
      else pg_catalog.engine_view_fact($1, case when $2 then 'pretty' else 'text' end) end`,
)}
${answer(
  'engine_viewdef',
  'oid, integer',
  'text',
  `select pg_catalog.engine_viewdef(case when $1 < ${firstOwnOid} or $2 = 0 then $1 end, true)`,
)}
${answer(
  'engine_ruledef',
  'oid, boolean',
  'text',
  `select case when $1 < ${firstOwnOid} then pg_catalog.engine_original_ruledef($1, $2) end`,
)}
${answer(
  'engine_relation_updatable',
  'regclass, boolean',
  'integer',
  `select coalesce(pg_catalog.engine_view_fact($1, case when $2 then 'possible' else 'automatic' end)::integer,
      pg_catalog.engine_original_relation_updatable($1, $2))`,
)}
${answer(
  'engine_column_updatable',
  'regclass, smallint, boolean',
  'boolean',
  `select coalesce(
      pg_catalog.engine_view_fact($1, case when $3 then 'possible' else 'automatic' end || ' ' || $2)::boolean,
      pg_catalog.engine_original_column_updatable($1, $2, $3))`,
)}
${replace('pg_get_viewdef', 'oid', 'text', 'engine_viewdef($1, false)')}
${replace('pg_get_viewdef', 'oid, boolean', 'text', 'engine_viewdef($1, $2)')}
${replace('pg_get_viewdef', 'oid, integer', 'text', 'engine_viewdef($1, $2)')}
${replace('pg_get_viewdef', 'text', 'text', 'engine_viewdef($1::regclass, false)')}
${replace('pg_get_viewdef', 'text, boolean', 'text', 'engine_viewdef($1::regclass, $2)')}
${replace('pg_get_ruledef', 'oid', 'text', 'engine_ruledef($1, false)')}
${replace('pg_get_ruledef', 'oid, boolean', 'text', 'engine_ruledef($1, $2)')}
${replace('pg_relation_is_updatable', 'regclass, boolean', 'integer', 'engine_relation_updatable($1, $2)')}
${replace('pg_column_is_updatable', 'regclass, smallint, boolean', 'boolean', 'engine_column_updatable($1, $2, $3)')}
create or replace view pg_catalog.pg_views as
  select n.nspname as schemaname, c.relname as viewname, pg_get_userbyid(c.relowner) as viewowner,
    pg_get_viewdef(c.oid) as definition
  from pg_catalog.pg_class c left join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relkind = 'v';
${definitionsInSchema}
`
}
