/**
 * @module The routine that raises the same error in PostgreSQL. Drivers tell errors apart by it: a plan is prepared again after
 * `RevalidateCachedQuery`. It depends only on what the client gets anyway.
 */

/** The parts of an error that choose its routine. */
export interface RaisedError {
  readonly sqlState: string
  /** As the client gets it. */
  readonly message: string
  /** The client's statement. */
  readonly sql: string
  /** The message that failed. */
  readonly during: DuringMessage
}

export type DuringMessage =
  | 'query'
  | 'parse'
  | 'bind'
  | 'describe statement'
  | 'describe portal'
  | 'execute'
  | 'other'

/** Undefined where PostgreSQL has no such error. */
export function routineOf({ sqlState, message, sql, during }: RaisedError): string | undefined {
  const raised = routines[sqlState]
  if (raised === undefined || typeof raised === 'string') return raised
  const [, command = ''] = /^\s*([a-z]+)/i.exec(sql) ?? []
  const text = `${message} (${command.toUpperCase()}) during ${during}`
  return raised.find(([pattern]) => pattern.test(text))?.[1]
}

type Routines = readonly (readonly [pattern: RegExp, routine: string])[]

const any = /^/

/** By SQLSTATE: one routine, or the first one whose pattern fits. The text is `message (COMMAND) during query`. */
const routines: Readonly<Record<string, string | Routines>> = {
  '08P01': [
    [/result formats/, 'PortalSetResultFormat'],
    [/during bind/, 'exec_bind_message'],
  ],
  '0A000': [
    [/^unsafe use of string constant/, 'core_yylex'],
    [/^cached plan must not change/, 'RevalidateCachedQuery'],
    [/^DECLARE .* FOR UPDATE/, 'transformDeclareCursorStmt'],
    [/^WHERE CURRENT OF on a view/, 'replace_rte_variables_mutator'],
  ],
  '21000': [
    [/^ON CONFLICT/, 'ExecOnConflictUpdate'],
    [any, 'ExecSetParamPlan'],
  ],
  '22001': [
    [/character varying/, 'varchar'],
    [/character/, 'bpchar'],
  ],
  '22003': [
    [/field overflow/, 'apply_typmod'],
    [/for type integer/, 'pg_strtoint32'],
    [/for type bigint/, 'pg_strtoint64'],
    [/for type smallint/, 'pg_strtoint16'],
    [/^integer/, 'int4pl'],
    [/^bigint/, 'int8pl'],
    [/^smallint/, 'i4toi2'],
  ],
  '22007': 'DateTimeParseError',
  '22008': 'DateTimeParseError',
  '22011': 'text_substring',
  '22012': 'int4div',
  '22021': 'report_invalid_encoding_int',
  '22023': [
    [/^argument to option "encoding"/, 'ProcessCopyOptions'],
    [
      /parameter "(?:DateStyle|TimeZone|IntervalStyle|client_encoding|search_path)"/i,
      'call_string_check_hook',
    ],
    [/parameter "|requires a/, 'parse_and_validate_value'],
  ],
  '22025': 'MB_do_like_escape',
  '2201B': 'RE_compile_and_cache',
  '2201E': 'dlog1',
  '2201F': 'dsqrt',
  '2201W': 'recompute_limits',
  '2201X': 'recompute_limits',
  '22P02': [
    [/malformed array|\[\]: /, 'ArrayCount'],
    [/type integer/, 'pg_strtoint32'],
    [/type bigint/, 'pg_strtoint64'],
    [/type smallint/, 'pg_strtoint16'],
    [/type boolean/, 'boolin'],
    [/type uuid/, 'string_to_uuid'],
    [/type numeric/, 'set_var_from_str'],
    [/type double precision/, 'float8in_internal_opt_error'],
    [/type real/, 'float4in'],
    [/type jsonb?/, 'json_ereport_error'],
    [/enum/, 'enum_in'],
  ],
  '22P05': 'report_untranslatable_char',
  '22P06': 'core_yylex',
  '23502': 'ExecConstraints',
  '23503': 'ri_ReportViolation',
  '23505': '_bt_check_unique',
  '23514': 'ExecConstraints',
  '23P01': 'check_exclusion_or_unique_constraint',
  '24000': [
    [/^cursor/, 'execCurrentOf'],
    [any, 'PortalDrop'],
  ],
  '25001': [
    [/cannot run inside/, 'PreventInTransactionBlock'],
    [/ISOLATION LEVEL/, 'call_enum_check_hook'],
    [/read-write/, 'call_bool_check_hook'],
  ],
  '25006': 'PreventCommandIfReadOnly',
  '25P01': [
    [/^COMMIT AND CHAIN/, 'EndTransactionBlock'],
    [/^ROLLBACK AND CHAIN/, 'UserAbortTransactionBlock'],
    [any, 'CheckTransactionBlock'],
  ],
  '25P02': [
    [/during parse/, 'exec_parse_message'],
    [/during bind/, 'exec_bind_message'],
    [/during describe statement/, 'exec_describe_statement_message'],
    [/during describe portal/, 'exec_describe_portal_message'],
    [/during execute/, 'exec_execute_message'],
    [any, 'exec_simple_query'],
  ],
  '26000': [
    [/^unnamed .* describe/, 'exec_describe_statement_message'],
    [/^unnamed/, 'exec_bind_message'],
    [any, 'FetchPreparedStatement'],
  ],
  '34000': [
    [/\((?:UPDATE|DELETE|WITH)\)/, 'execCurrentOf'],
    [/^portal .* during describe/, 'exec_describe_portal_message'],
    [/^portal/, 'exec_execute_message'],
    [/\(CLOSE\)/, 'PerformPortalClose'],
    [any, 'PerformPortalFetch'],
  ],
  '3B001': [
    [/\(RELEASE\)/, 'ReleaseSavepoint'],
    [any, 'RollbackToSavepoint'],
  ],
  '2202H': [[/^tablesample/, 'transformRangeTableSample']],
  '40001': 'ExecUpdate',
  '40P01': 'DeadLockReport',
  '42501': 'aclcheck_error',
  '42601': [
    [/^syntax error|^unterminated|^trailing junk/, 'scanner_yyerror'],
    [/multiple commands/, 'exec_parse_message'],
    [/^INSERT has more/, 'transformInsertRow'],
    [/^VALUES lists/, 'transformInsertStmt'],
    [/same number of columns/, 'transformSetOperationTree'],
    [/^subquery/, 'transformSubLink'],
    [/unequal number of entries/, 'make_row_comparison_op'],
    [/^wrong number of parameters/, 'EvaluateParams'],
    [/^unrecognized EXPLAIN/, 'ExplainQuery'],
  ],
  '42701': 'checkInsertTargets',
  '42702': 'colNameToVar',
  '42703': [
    [/\(COPY\)/, 'CopyGetAttnums'],
    [/^column .* of relation .*\(INSERT\)/, 'checkInsertTargets'],
    [/^column .* of relation .*\(UPDATE\)/, 'transformUpdateTargetList'],
    [any, 'errorMissingColumn'],
  ],
  '42704': [
    [/^unrecognized configuration parameter/, 'find_option'],
    [/^tablesample/, 'transformRangeTableSample'],
    [/^type/, 'typenameType'],
    [/^window/, 'transformWindowFuncCall'],
  ],
  '42712': [
    [/^WITH query/, 'transformWithClause'],
    [any, 'checkNameSpaceConflicts'],
  ],
  '42803': [
    [/must appear in the GROUP BY/, 'check_ungrouped_columns_walker'],
    [/nested|cannot contain/, 'check_agg_arguments'],
    [any, 'check_agglevels_and_constraints'],
  ],
  '42804': [
    [/^argument of (?:TABLESAMPLE|REPEATABLE)/, 'coerce_to_specific_type_typmod'],
    [/but expression is of type/, 'transformAssignedExpr'],
    [/must be type boolean/, 'coerce_to_boolean'],
    [/to the expected type/, 'EvaluateParams'],
    [/cannot be matched/, 'select_common_type'],
  ],
  '42809': [[/^cannot copy from view/, 'BeginCopyTo']],
  '42846': 'transformTypeCast',
  '42883': [
    [/^operator/, 'op_error'],
    [any, 'ParseFuncOrColumn'],
  ],
  '428C9': 'rewriteTargetListIU',
  '42P01': [
    [/\(COPY\)/, 'RangeVarGetRelidExtended'],
    [/FOR (?:NO KEY )?(?:UPDATE|SHARE)|FOR KEY SHARE/, 'transformLockingClause'],
    [/FROM-clause/, 'errorMissingRTE'],
    [any, 'parserOpenTable'],
  ],
  '42P02': 'transformParamRef',
  '42P03': 'CreatePortal',
  '42P05': 'StorePreparedStatement',
  '42P10': [
    [/BY position/, 'findTargetlistEntrySQL92'],
    [/SELECT DISTINCT/, 'transformDistinctClause'],
    [/ON CONFLICT/, 'infer_arbiter_indexes'],
  ],
  '42P11': 'transformDeclareCursorStmt',
  '44000': 'ExecWithCheckOptions',
  '55000': [
    [/scan forward/, 'PortalRunSelect'],
    [/^portal/, 'MarkPortalActive'],
  ],
  '55P02': 'set_config_option',
  '57014': [
    [/^COPY from stdin/, 'CopyGetData'],
    [any, 'ProcessInterrupts'],
  ],
}
