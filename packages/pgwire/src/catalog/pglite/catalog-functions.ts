/**
 * @module Which functions clients may call in the embedded PostgreSQL. It holds empty tables: whatever reads data, statistics,
 * files, the log of transactions or other sessions would answer with something that is true of the empty tables only.
 *
 * A function is allowed when
 * 1. it is an aggregate or a window function, or
 * 2. it is immutable, so that its answer comes from its arguments, or
 * 3. an operator, a cast or an index uses it, or
 * 4. it is in `allowed`.
 *
 * Some more answer NULL, which is unknown, since clients ask for them beside other things: `pg_table_size` in `\dt+`.
 * All others are refused.
 */

/** Stable and volatile functions, by what they answer from. */
const allowed = {
  arguments: `
    array_sample array_shuffle array_to_json array_to_string concat concat_ws convert convert_from convert_to date date_add
    date_part date_subtract date_trunc enum_first enum_last enum_range extract format generate_series json_build_array
    json_build_object json_populate_record json_populate_recordset json_to_record json_to_recordset json_to_tsvector
    jsonb_build_array jsonb_build_object jsonb_path_exists_tz jsonb_path_match_tz jsonb_path_query_array_tz
    jsonb_path_query_first_tz jsonb_path_query_tz jsonb_populate_record jsonb_populate_record_valid jsonb_populate_recordset
    jsonb_to_record jsonb_to_recordset jsonb_to_tsvector length make_timestamptz money numeric overlaps pg_basetype
    pg_collation_for pg_input_error_info pg_input_is_valid pg_typeof phraseto_tsquery plainto_tsquery quote_literal
    quote_nullable row_to_json time timestamp timestamptz timetz timezone to_char to_date to_json to_jsonb to_number
    to_timestamp to_tsquery to_tsvector ts_debug ts_headline ts_parse websearch_to_tsquery xml xml_is_well_formed`,
  'clock and chance': `
    clock_timestamp gen_random_uuid now random random_normal statement_timestamp timeofday transaction_timestamp uuidv4 uuidv7`,
  'the session, which sets what they answer': `
    current_database current_query current_schema current_schemas current_setting current_user engine_current_setting
    engine_version get_current_ts_config getdatabaseencoding getpgusername pg_backend_pid pg_client_encoding
    pg_is_other_temp_schema pg_my_temp_schema pg_trigger_depth session_user set_config system_user version`,
  catalogs: `
    aclexplode col_description engine_column_updatable engine_relation_updatable engine_ruledef engine_viewdef format_type has_any_column_privilege has_column_privilege
    has_database_privilege has_foreign_data_wrapper_privilege has_function_privilege has_language_privilege
    has_largeobject_privilege has_parameter_privilege has_schema_privilege has_sequence_privilege has_server_privilege
    has_table_privilege has_tablespace_privilege has_type_privilege obj_description oidvectortypes
    pg_available_extension_versions pg_available_extensions pg_char_to_encoding pg_collation_is_visible
    pg_column_is_updatable pg_conversion_is_visible pg_describe_object pg_encoding_to_char pg_function_is_visible pg_get_acl
    pg_get_catalog_foreign_keys pg_get_constraintdef pg_get_expr pg_get_function_arg_default pg_get_function_arguments
    pg_get_function_identity_arguments pg_get_function_result pg_get_function_sqlbody pg_get_functiondef pg_get_indexdef
    pg_get_keywords pg_get_object_address pg_get_partition_constraintdef pg_get_partkeydef pg_get_publication_tables
    pg_get_replica_identity_index pg_get_ruledef pg_get_serial_sequence pg_get_statisticsobjdef
    pg_get_statisticsobjdef_columns pg_get_statisticsobjdef_expressions pg_get_triggerdef pg_get_userbyid pg_get_viewdef
    pg_get_wait_events pg_has_role pg_identify_object pg_identify_object_as_address pg_index_column_has_property
    pg_index_has_property pg_indexam_has_property pg_mcv_list_items pg_opclass_is_visible pg_operator_is_visible
    pg_opfamily_is_visible pg_options_to_table pg_partition_ancestors pg_partition_tree pg_relation_is_publishable
    pg_relation_is_updatable pg_sequence_parameters pg_settings_get_flags pg_show_all_settings pg_statistics_obj_is_visible
    pg_table_is_visible pg_tablespace_location pg_timezone_abbrevs_abbrevs pg_timezone_abbrevs_zone pg_timezone_names
    pg_ts_config_is_visible pg_ts_dict_is_visible pg_ts_parser_is_visible pg_ts_template_is_visible pg_type_is_visible
    regclass row_security_active shobj_description to_regclass to_regcollation to_regnamespace to_regoper to_regoperator
    to_regproc to_regprocedure to_regrole to_regtype to_regtypemod ts_token_type`,
  'what is true of every session here: no standby, no prepared transaction, no advisory lock': `
    pg_advisory_unlock_all pg_is_in_recovery pg_prepared_xact`,
} as const

/** Immutable for PostgreSQL, and yet an answer from the settings of the embedded server: the size of its WAL segments. */
const notPure = 'pg_walfile_name pg_walfile_name_offset'

/**
 * Sizes, numbers of transactions, times of a start, addresses of a connection. Besides: `age(xid)`, and counters of
 * `pg_stat_get_…`, which the views of statistics show.
 */
const unknown = `
  inet_client_addr inet_client_port inet_server_addr inet_server_port mxid_age pg_conf_load_time pg_current_xact_id
  pg_current_xact_id_if_assigned pg_database_size pg_indexes_size pg_postmaster_start_time pg_relation_size
  pg_sequence_last_value pg_table_size pg_tablespace_size pg_total_relation_size txid_current txid_current_if_assigned`

const functions = `pg_catalog.pg_proc p where p.pronamespace = 'pg_catalog'::regnamespace and p.prokind = 'f'`

const isUnknown = `(p.proname in ${nameList(unknown)} or p.oid = 'age(xid)'::regprocedure
  or p.proname ~ '^pg_stat_get_' and not p.proretset and p.prorettype <> 'record'::regtype)`

/** The functions of types are left out: only the server calls them. */
const isAllowed = `(
  p.provolatile = 'i' and p.proname not in ${nameList(notPure)}
  or p.proname in ${nameList(Object.values(allowed).join(' '))}
  or exists (select from pg_catalog.pg_operator o where o.oprcode = p.oid)
  or exists (select from pg_catalog.pg_cast c where c.castfunc = p.oid)
  or exists (select from pg_catalog.pg_amproc a where a.amproc = p.oid))`

/** SQL that makes it so. What a client calls otherwise is an error: `permission denied for function …`. */
export const limitFunctions: string = `
do $$ declare f record; begin
  for f in select p.proname, pg_get_function_arguments(p.oid) as arguments, format_type(p.prorettype, null) as type
    from ${functions} and ${isUnknown}
  loop
    execute format('create or replace function pg_catalog.%I(%s) returns %s language sql stable parallel safe as %L',
      f.proname, f.arguments, f.type, 'select null::' || f.type);
  end loop;
  for f in select p.oid::regprocedure as signature from ${functions} and not ${isUnknown} and not ${isAllowed}
  loop
    execute format('revoke execute on function pg_catalog.%s from public', f.signature);
  end loop;
end $$;
`

function nameList(names: string): string {
  const quoted = names
    .trim()
    .split(/\s+/)
    .map((name) => `'${name}'`)
  return `(${quoted.join(', ')})`
}
