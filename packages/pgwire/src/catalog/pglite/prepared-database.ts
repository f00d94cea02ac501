/** @module What the data directory contains besides the files of initdb. */
import { hash } from 'node:crypto'
import { presetNumbers } from '../mirror/preset-numbers.ts'
import { limitFunctions } from './catalog-functions.ts'
import { viewFacts } from './view-facts.ts'

/** Of the objects below: between those that initdb makes and the first that PostgreSQL gives to anything else. */
const firstOid = 16_000

/** Name of the superuser. No other role can have it: a role that is created cannot begin with `pg_`. */
export const superuserName = 'pg_engine'

/** The role that runs statements of clients: it is renamed to the client's name while it does. */
export const clientRoleName = 'pg_engine_client'

/**
 * Settings of a session that the embedded PostgreSQL does not have, or has with another value, are stored as
 * `engine.<name>`; the functions below look there first.
 */
export const settingPrefix = 'engine.'

/**
 * Objects of a session, in settings that hold JSON: `[{"name":"a","statement":"select 1","prepare_time":"…",
 * "parameter_types":[23],"from_sql":true}]`, and for cursors `is_holdable`, `is_binary`, `is_scrollable`,
 * `creation_time`.
 */
export const sessionObjects = {
  preparedStatements: 'engine.prepared_statements',
  cursors: 'engine.cursors',
} as const

/**
 * Functions are replaced in place, so that views and queries of any schema path find them. `engine_…` are the
 * originals: clients must not call `set_config`, because they could become the superuser with it.
 */
export const preparedDatabase: string = `
set allow_system_table_mods = on;
update pg_database set datistemplate = false;
update pg_authid set rolname = '${superuserName}' where oid = 10;
select pg_catalog.binary_upgrade_set_next_pg_authid_oid(${firstOid}::oid);
create role engine_client login;
update pg_authid set rolname = '${clientRoleName}' where rolname = 'engine_client';
drop schema public;

create function pg_catalog.engine_set_config(text, text, boolean) returns text
  language internal volatile parallel unsafe as 'set_config_by_name';
revoke execute on function pg_catalog.engine_set_config from public;
create function pg_catalog.engine_current_setting(text, boolean) returns text
  language internal stable strict parallel safe as 'show_config_by_name_missing_ok';
create function pg_catalog.engine_version() returns text
  language internal stable strict parallel safe as 'pgsql_version';

create or replace function pg_catalog.set_config(text, text, boolean) returns text
  language sql volatile parallel unsafe as 'select $2';
create or replace function pg_catalog.current_setting(text, boolean) returns text
  language sql stable parallel safe as $$
    select coalesce(
      nullif(pg_catalog.engine_current_setting('${settingPrefix}' || lower($1), true), ''),
      pg_catalog.engine_current_setting($1, $2))
  $$;
create or replace function pg_catalog.current_setting(text) returns text
  language sql stable parallel safe as 'select pg_catalog.current_setting($1, false)';
create or replace function pg_catalog.version() returns text
  language sql stable parallel safe as $$
    select 'PostgreSQL ' || pg_catalog.current_setting('server_version') || ' (Engine'
      || coalesce(', ' || substring(pg_catalog.engine_version() from 'PGlite [0-9.]+'), '') || ')'
  $$;
create or replace function pg_catalog.pg_backend_pid() returns integer
  language sql stable parallel safe as $$
    select nullif(pg_catalog.engine_current_setting('${settingPrefix}process_id', true), '')::integer
  $$;
create or replace view pg_catalog.pg_stat_activity as
  select d.oid as datid, d.datname, pg_backend_pid() as pid, null::integer as leader_pid,
    r.oid as usesysid, r.rolname as usename, current_setting('application_name') as application_name,
    null::inet as client_addr, null::text as client_hostname, null::integer as client_port,
    null::timestamptz as backend_start, transaction_timestamp() as xact_start,
    statement_timestamp() as query_start, statement_timestamp() as state_change,
    null::text as wait_event_type, null::text as wait_event, 'active'::text as state,
    null::xid as backend_xid, null::xid as backend_xmin, null::bigint as query_id,
    current_query() as query, 'client backend'::text as backend_type
  from pg_database d, pg_roles r
  where d.datname = current_database() and r.rolname = session_user;
create or replace view pg_catalog.pg_stat_ssl as
  select pg_backend_pid() as pid, null::boolean as ssl, null::text as version, null::text as cipher, null::integer as bits,
    null::text as client_dn, null::numeric as client_serial, null::text as issuer_dn;
create or replace view pg_catalog.pg_stat_gssapi as
  select pg_backend_pid() as pid, false as gss_authenticated, null::text as principal, false as encrypted,
    false as credentials_delegated;

create or replace view pg_catalog.pg_prepared_statements as
  select e->>'name' as name, e->>'statement' as statement, (e->>'prepare_time')::timestamptz as prepare_time,
    array(select t::oid::regtype from jsonb_array_elements_text(e->'parameter_types') t) as parameter_types,
    null::regtype[] as result_types, (e->>'from_sql')::boolean as from_sql,
    0::bigint as generic_plans, 0::bigint as custom_plans
  from jsonb_array_elements(current_setting('${sessionObjects.preparedStatements}', true)::jsonb) e;
create or replace view pg_catalog.pg_cursors as
  select e->>'name' as name, e->>'statement' as statement, (e->>'is_holdable')::boolean as is_holdable,
    (e->>'is_binary')::boolean as is_binary, (e->>'is_scrollable')::boolean as is_scrollable,
    (e->>'creation_time')::timestamptz as creation_time
  from jsonb_array_elements(current_setting('${sessionObjects.cursors}', true)::jsonb) e;

${withOldColumn('pg_database', 'daticulocale', 'datlocale', firstOid + 1)}
${withOldColumn('pg_collation', 'colliculocale', 'colllocale', firstOid + 4)}

${viewFacts(firstOid + 7)}
${limitFunctions}
`

/** Shows that a data directory was made from this text. */
export function preparedDigest(): string {
  return hash('sha256', preparedDatabase, 'base64url')
}

/** The schema of the original table, when a view has taken its name. */
export function movedTable(name: string): string {
  return `${name}_table`
}

/**
 * psql before version 17 names a column that PostgreSQL has renamed since, and would fail. PostgreSQL itself finds its
 * tables by OID, so a view can take the name of a table.
 */
function withOldColumn(table: string, oldColumn: string, column: string, oid: number): string {
  const numbers = { relation: oid, isStored: false, type: oid + 1, array: oid + 2 }
  return `
    alter table pg_catalog.${table} rename to ${movedTable(table)};
    ${presetNumbers(numbers)}
    create view pg_catalog.${table} as
      select *, ${column} as ${oldColumn} from pg_catalog.${movedTable(table)};
    grant select on pg_catalog.${table} to public;`
}
