/**
 * @module Definitions of views. Views are empty copies: the query of a copy is not that of the view, and NULL is shown. The system's own
 * views have their definitions.
 */

/** The first OID of an object that is no part of PostgreSQL itself. */
const firstOwnOid = 16_384

/** Clients cannot call `engine_original_…`. */
const deparse = (kind: string): string => `
  create function pg_catalog.engine_original_${kind}def(oid, boolean) returns text
    language internal stable strict as 'pg_get_${kind}def_ext';
  create function pg_catalog.engine_${kind}def(oid, boolean) returns text language sql stable strict security definer as $$
    select case when $1 < ${firstOwnOid} then pg_catalog.engine_original_${kind}def($1, $2) end
  $$;`

/** PostgreSQL calls functions of its own by their number, unless they are short SQL that it can put in their place. */
const replace = (name: string, parameters: string, body: string): string => `
  create or replace function pg_catalog.${name}(${parameters}) returns text language sql stable parallel safe as
    'select pg_catalog.${body}';`

export const hideDefinitions: string = `
${deparse('view')}
${deparse('rule')}
${replace('pg_get_viewdef', 'oid', 'engine_viewdef($1, false)')}
${replace('pg_get_viewdef', 'oid, boolean', 'engine_viewdef($1, $2)')}
${replace('pg_get_viewdef', 'oid, integer', 'engine_viewdef($1, true)')}
${replace('pg_get_viewdef', 'text', 'engine_viewdef($1::regclass, false)')}
${replace('pg_get_viewdef', 'text, boolean', 'engine_viewdef($1::regclass, $2)')}
${replace('pg_get_ruledef', 'oid', 'engine_ruledef($1, false)')}
${replace('pg_get_ruledef', 'oid, boolean', 'engine_ruledef($1, $2)')}
create or replace view pg_catalog.pg_views as
  select n.nspname as schemaname, c.relname as viewname, pg_get_userbyid(c.relowner) as viewowner,
    pg_get_viewdef(c.oid) as definition
  from pg_catalog.pg_class c left join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.relkind = 'v';
`
