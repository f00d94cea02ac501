/**
 * @module Settings of PostgreSQL that clients may set and read, and that have no effect here. None of them changes an answer: they
 * are about plans, logs, maintenance and the server. A setting that changes answers has one value here.
 */
import { kilobytes, milliseconds, type Unit } from './parse-setting.ts'
import {
  choiceSetting,
  flagSetting,
  numberSetting,
  onlySetting,
  type SettingDefinition,
  textSetting,
} from './setting-definition.ts'

const onByDefault =
  'check_function_bodies debug_pretty_print enable_async_append enable_bitmapscan enable_distinct_reordering ' +
  'enable_gathermerge enable_group_by_reordering enable_hashagg enable_hashjoin enable_incremental_sort ' +
  'enable_indexonlyscan enable_indexscan enable_material enable_memoize enable_mergejoin enable_nestloop ' +
  'enable_parallel_append enable_parallel_hash enable_partition_pruning enable_presorted_aggregate enable_self_join_elimination ' +
  'enable_seqscan enable_sort enable_tidscan escape_string_warning event_triggers geqo jit jit_expressions ' +
  'jit_tuple_deforming md5_password_warnings parallel_leader_participation row_security synchronize_seqscans vacuum_truncate'

const offByDefault =
  'debug_print_parse debug_print_plan debug_print_rewritten enable_partitionwise_aggregate enable_partitionwise_join ' +
  'quote_all_identifiers trace_notify trace_sort'

/** Name, value, smallest, largest. */
const integers: readonly (readonly [string, number, number, number])[] = [
  ['commit_siblings', 5, 0, 1000],
  ['default_statistics_target', 100, 1, 10_000],
  ['effective_io_concurrency', 16, 0, 1000],
  ['from_collapse_limit', 8, 1, 2_147_483_647],
  ['geqo_effort', 5, 1, 10],
  ['geqo_generations', 0, 0, 2_147_483_647],
  ['geqo_pool_size', 0, 0, 2_147_483_647],
  ['geqo_threshold', 12, 2, 2_147_483_647],
  ['gin_fuzzy_search_limit', 0, 0, 2_147_483_647],
  ['join_collapse_limit', 8, 1, 2_147_483_647],
  ['maintenance_io_concurrency', 16, 0, 1000],
  ['max_parallel_maintenance_workers', 2, 0, 1024],
  ['max_parallel_workers', 8, 0, 1024],
  ['max_parallel_workers_per_gather', 2, 0, 1024],
  ['tcp_keepalives_count', 0, 0, 2_147_483_647],
  ['vacuum_cost_limit', 200, 1, 10_000],
  ['vacuum_cost_page_dirty', 20, 0, 10_000],
  ['vacuum_cost_page_hit', 1, 0, 10_000],
  ['vacuum_cost_page_miss', 2, 0, 10_000],
  ['vacuum_failsafe_age', 1_600_000_000, 0, 2_100_000_000],
  ['vacuum_freeze_min_age', 50_000_000, 0, 1_000_000_000],
  ['vacuum_freeze_table_age', 150_000_000, 0, 2_000_000_000],
  ['vacuum_multixact_failsafe_age', 1_600_000_000, 0, 2_100_000_000],
  ['vacuum_multixact_freeze_min_age', 5_000_000, 0, 1_000_000_000],
  ['vacuum_multixact_freeze_table_age', 150_000_000, 0, 2_000_000_000],
]

/** The same, of numbers with a fraction. */
const reals: readonly (readonly [string, number, number, number])[] = [
  ['cpu_index_tuple_cost', 0.005, 0, Number.MAX_VALUE],
  ['cpu_operator_cost', 0.0025, 0, Number.MAX_VALUE],
  ['cpu_tuple_cost', 0.01, 0, Number.MAX_VALUE],
  ['cursor_tuple_fraction', 0.1, 0, 1],
  ['geqo_seed', 0, 0, 1],
  ['geqo_selection_bias', 2, 1.5, 2],
  ['hash_mem_multiplier', 2, 1, 1000],
  ['jit_above_cost', 100_000, -1, Number.MAX_VALUE],
  ['jit_inline_above_cost', 500_000, -1, Number.MAX_VALUE],
  ['jit_optimize_above_cost', 500_000, -1, Number.MAX_VALUE],
  ['parallel_setup_cost', 1000, 0, Number.MAX_VALUE],
  ['parallel_tuple_cost', 0.1, 0, Number.MAX_VALUE],
  ['random_page_cost', 4, 0, Number.MAX_VALUE],
  ['recursive_worktable_factor', 10, 0.001, 1_000_000],
  ['seq_page_cost', 1, 0, Number.MAX_VALUE],
  ['vacuum_max_eager_freeze_failure_rate', 0.03, 0, 1],
]

/** Counted in blocks of 8 kB. */
const blocks: Unit = {
  base: '8kB',
  names: [
    ['TB', 1024 ** 3 / 8],
    ['GB', 1024 ** 2 / 8],
    ['MB', 128],
    ['kB', 1 / 8],
    ['B', 1 / 8192],
  ],
}

const seconds: Unit = {
  base: 's',
  names: [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
    ['s', 1],
    ['ms', 0.001],
    ['us', 0.000_001],
  ],
}

const bytes: Unit = {
  base: 'B',
  names: [
    ['TB', 1024 ** 4],
    ['GB', 1024 ** 3],
    ['MB', 1024 ** 2],
    ['kB', 1024],
    ['B', 1],
  ],
}

/** Name, value and range in the unit. */
const measures: readonly (readonly [string, number, number, number, Unit])[] = [
  ['backend_flush_after', 0, 0, 256, blocks],
  ['client_connection_check_interval', 0, 0, 2_147_483_647, milliseconds],
  ['effective_cache_size', 524_288, 1, 2_147_483_647, blocks],
  ['io_combine_limit', 16, 1, 128, blocks],
  ['gin_pending_list_limit', 4096, 64, 2_147_483_647, kilobytes],
  ['log_parameter_max_length_on_error', 0, -1, 1_073_741_823, bytes],
  ['logical_decoding_work_mem', 65_536, 64, 2_147_483_647, kilobytes],
  ['maintenance_work_mem', 65_536, 64, 2_147_483_647, kilobytes],
  ['min_parallel_index_scan_size', 64, 0, 715_827_882, blocks],
  ['min_parallel_table_scan_size', 1024, 0, 715_827_882, blocks],
  ['tcp_keepalives_idle', 0, 0, 2_147_483_647, seconds],
  ['tcp_keepalives_interval', 0, 0, 2_147_483_647, seconds],
  ['tcp_user_timeout', 0, 0, 2_147_483_647, milliseconds],
  ['temp_buffers', 1024, 100, 1_073_741_823, blocks],
  ['transaction_timeout', 0, 0, 2_147_483_647, milliseconds],
  ['vacuum_buffer_usage_limit', 2048, 0, 16_777_216, kilobytes],
  ['wal_sender_timeout', 60_000, 0, 2_147_483_647, milliseconds],
  ['wal_skip_threshold', 2048, 0, 2_147_483_647, kilobytes],
  ['work_mem', 4096, 64, 2_147_483_647, kilobytes],
]

/** Name and words, the usual one first. */
const choices: readonly (readonly [string, ...string[]])[] = [
  ['backslash_quote', 'safe_encoding', 'on', 'off'],
  [
    'client_min_messages',
    'notice',
    'debug5',
    'debug4',
    'debug3',
    'debug2',
    'debug1',
    'log',
    'warning',
    'error',
  ],
  ['constraint_exclusion', 'partition', 'on', 'off'],
  ['debug_logical_replication_streaming', 'buffered', 'immediate'],
  ['debug_parallel_query', 'off', 'on', 'regress'],
  ['default_toast_compression', 'pglz', 'lz4'],
  ['file_copy_method', 'copy', 'clone'],
  ['password_encryption', 'scram-sha-256', 'md5'],
  ['plan_cache_mode', 'auto', 'force_generic_plan', 'force_custom_plan'],
  ['stats_fetch_consistency', 'cache', 'none', 'snapshot'],
  ['synchronous_commit', 'on', 'local', 'remote_write', 'remote_apply', 'off'],
]

/** Other ways to write a choice. */
const synonyms: Readonly<Record<string, string>> = {
  true: 'on',
  yes: 'on',
  '1': 'on',
  false: 'off',
  no: 'off',
  '0': 'off',
}

const texts: readonly (readonly [string, string])[] = [
  ['createrole_self_grant', ''],
  ['default_table_access_method', 'heap'],
  ['default_tablespace', ''],
  ['icu_validation_level', 'warning'],
  ['lc_messages', 'C'],
  ['local_preload_libraries', ''],
  ['restrict_nonsystem_relation_kind', ''],
  ['temp_tablespaces', ''],
]

/** Read-only settings of a server that clients read. */
const ofServer: readonly (readonly [string, string, SettingDefinition['access']])[] = [
  ['archive_mode', 'off', 'restart'],
  ['autovacuum', 'on', 'server'],
  ['cluster_name', '', 'restart'],
  ['compute_query_id', 'auto', 'superuser'],
  ['deadlock_timeout', '1s', 'superuser'],
  ['data_checksums', 'off', 'fixed'],
  ['debug_assertions', 'off', 'fixed'],
  ['fsync', 'on', 'server'],
  ['full_page_writes', 'on', 'server'],
  ['hot_standby', 'on', 'restart'],
  ['log_duration', 'off', 'superuser'],
  ['log_error_verbosity', 'default', 'superuser'],
  ['log_lock_waits', 'off', 'superuser'],
  ['log_min_error_statement', 'error', 'superuser'],
  ['log_statement', 'none', 'superuser'],
  ['log_min_duration_statement', '-1', 'superuser'],
  ['log_min_messages', 'warning', 'superuser'],
  ['log_timezone', 'UTC', 'server'],
  ['max_connections', '100', 'restart'],
  ['max_locks_per_transaction', '64', 'restart'],
  ['max_prepared_transactions', '0', 'restart'],
  ['max_stack_depth', '2MB', 'superuser'],
  ['max_replication_slots', '10', 'restart'],
  ['max_wal_senders', '10', 'restart'],
  ['max_worker_processes', '8', 'restart'],
  ['segment_size', '1GB', 'fixed'],
  ['session_replication_role', 'origin', 'superuser'],
  ['shared_buffers', '128MB', 'restart'],
  ['ssl', 'off', 'server'],
  ['superuser_reserved_connections', '3', 'restart'],
  ['temp_file_limit', '-1', 'superuser'],
  ['track_activities', 'on', 'superuser'],
  ['track_commit_timestamp', 'off', 'restart'],
  ['track_counts', 'on', 'superuser'],
  ['track_functions', 'none', 'superuser'],
  ['track_io_timing', 'off', 'superuser'],
  ['wal_block_size', '8192', 'fixed'],
  ['wal_level', 'replica', 'restart'],
  ['wal_segment_size', '16MB', 'fixed'],
]

/** Settings that change answers: the value that holds here, other spellings of it, and what to write instead of another. */
const settled: readonly (readonly [string, string, readonly string[], string])[] = [
  ['array_nulls', 'on', ['true', 'yes', '1'], 'NULL in an array is a null: write "NULL" in quotes'],
  ['exit_on_error', 'off', ['false', 'no', '0'], 'an error ends the statement'],
  ['lc_monetary', 'C', ['POSIX'], 'money is written as in C'],
  ['lc_numeric', 'C', ['POSIX'], 'numbers are written as in C'],
  ['lc_time', 'C', ['POSIX'], 'names of days and months are those of C'],
  ['timezone_abbreviations', 'Default', [], 'write the offset'],
  ['transform_null_equals', 'off', ['false', 'no', '0'], 'write IS NULL'],
  ['xmlbinary', 'base64', [], 'bytes in XML are written in base64'],
  ['xmloption', 'content', [], 'write XMLPARSE (DOCUMENT …)'],
]

const noEffect = 'Accepted, and without effect here.'
const ownMatter = 'A matter of the server.'

export const acceptedSettings: readonly SettingDefinition[] = [
  ...onByDefault.split(' ').map((name) => flagSetting(name, 'on', noEffect)),
  ...offByDefault.split(' ').map((name) => flagSetting(name, 'off', noEffect)),
  ...integers.map(([name, value, min, max]) => numberSetting(name, value, { min, max }, noEffect)),
  ...reals.map(([name, value, min, max]) =>
    numberSetting(name, value, { min, max, isReal: true }, noEffect),
  ),
  ...measures.map(([name, value, min, max, unit]) =>
    numberSetting(name, value, { min, max, unit }, noEffect),
  ),
  numberSetting(
    'vacuum_cost_delay',
    0,
    { min: 0, max: 100, unit: milliseconds, isReal: true },
    noEffect,
  ),
  ...choices.map(([name, ...words]) => choiceSetting(name, words, noEffect, {}, synonyms)),
  ...settled.map(([name, only, spellings, reason]) =>
    onlySetting(name, only, reason, 'Has one value here.', (value) =>
      [only, ...spellings].some((each) => each.toLowerCase() === value.toLowerCase()),
    ),
  ),
  ...texts.map(([name, value]) => textSetting(name, value, noEffect)),
  ...ofServer.map(([name, value, access]) => textSetting(name, value, ownMatter, { access })),
]
