/**
 * @module The security boundary of client SQL: the functions, operators and types that it may use.
 *
 * Nothing here runs SQL text, touches files, the network, locks, settings, sequences, the catalog,
 * large objects or the session, or sleeps.
 * A name allows each overload that mentions only `allowedFunctionTypes`; the other overloads of the
 * name are still written to the tables, marked as refused, because PostgreSQL considers them too.
 */

const geometricTypes: readonly string[] = [
  ...['point', 'box', 'line', 'lseg', 'path', 'polygon', 'circle'],
]

/** Types that client SQL may name in a cast; arrays of them too. */
export const nameableTypes: readonly string[] = [
  ...['bool', 'int2', 'int4', 'int8', 'float4', 'float8', 'numeric', 'money'],
  ...['text', 'varchar', 'bpchar', 'name', 'char', 'bytea', 'uuid', 'bit', 'varbit'],
  ...['date', 'time', 'timetz', 'timestamp', 'timestamptz', 'interval'],
  ...['json', 'jsonb', 'jsonpath'],
  ...['inet', 'cidr', 'macaddr', 'macaddr8', 'tsvector', 'tsquery'],
  ...geometricTypes,
  ...['int4range', 'int8range', 'numrange', 'daterange', 'tsrange', 'tstzrange'],
  ...['int4multirange', 'int8multirange', 'nummultirange'],
  ...['datemultirange', 'tsmultirange', 'tstzmultirange'],
]

const ordinaryTypes: readonly string[] = [
  ...['bool', 'int2', 'int4', 'int8', 'float4', 'float8', 'numeric', 'money'],
  ...['text', 'varchar', 'bpchar', 'name', 'char', 'bytea', 'uuid', 'bit', 'varbit'],
  ...['date', 'time', 'timetz', 'timestamp', 'timestamptz', 'interval'],
  ...['json', 'jsonb', 'jsonpath'],
]

const rangeTypes: readonly string[] = [
  ...['int4range', 'int8range', 'numrange', 'daterange', 'tsrange', 'tstzrange'],
  ...['int4multirange', 'int8multirange', 'nummultirange'],
  ...['datemultirange', 'tsmultirange', 'tstzmultirange', 'anyrange', 'anymultirange'],
]

/** `regconfig` is the type of a configuration's name: `to_tsvector('simple', body)`. */
const searchTypes: readonly string[] = ['tsvector', 'tsquery', 'regconfig']

const networkTypes: readonly string[] = ['inet', 'cidr', 'macaddr', 'macaddr8']

/** An allowed function has only these, or arrays of them, as arguments and result. */
export const allowedFunctionTypes: readonly string[] = [
  ...ordinaryTypes,
  ...rangeTypes,
  ...searchTypes,
  ...networkTypes,
  ...geometricTypes,
  ...['any', 'anyelement', 'anyarray', 'anynonarray', 'anyenum'],
  ...['anycompatible', 'anycompatiblearray', 'anycompatiblenonarray', 'record'],
]

const textFunctions = [
  ...['ascii', 'bit_count', 'bit_length', 'btrim', 'char_length', 'character_length', 'chr'],
  ...['concat', 'concat_ws', 'convert', 'convert_from', 'convert_to', 'decode', 'encode', 'format'],
  ...['get_bit', 'get_byte', 'initcap', 'is_normalized', 'left', 'length', 'like_escape'],
  ...[
    'lower',
    'lpad',
    'ltrim',
    'md5',
    'normalize',
    'octet_length',
    'overlay',
    'parse_ident',
    'position',
  ],
  ...['quote_ident', 'quote_literal', 'quote_nullable', 'repeat', 'replace', 'reverse'],
  ...['regexp_count', 'regexp_instr', 'regexp_like', 'regexp_match', 'regexp_matches'],
  ...['regexp_replace', 'regexp_split_to_array', 'regexp_split_to_table', 'regexp_substr'],
  ...['right', 'rpad', 'rtrim', 'set_bit', 'set_byte', 'sha224', 'sha256', 'sha384', 'sha512'],
  ...['similar_to_escape', 'split_part', 'starts_with', 'string_to_array', 'string_to_table'],
  ...['strpos', 'substr', 'substring', 'to_hex', 'translate', 'unistr', 'upper'],
]

const mathFunctions = [
  ...['abs', 'acos', 'acosd', 'acosh', 'asin', 'asind', 'asinh', 'atan', 'atan2', 'atan2d'],
  ...['atand', 'atanh', 'cbrt', 'ceil', 'ceiling', 'cos', 'cosd', 'cosh', 'cot', 'cotd'],
  ...['degrees', 'div', 'exp', 'factorial', 'floor', 'gcd', 'lcm', 'ln', 'log', 'log10'],
  ...['min_scale', 'mod', 'num_nonnulls', 'num_nulls', 'pi', 'pow', 'power', 'radians'],
  ...['random', 'round', 'scale', 'sign', 'sin', 'sind', 'sinh', 'sqrt', 'tan', 'tand'],
  ...['tanh', 'to_number', 'trim_scale', 'trunc', 'width_bucket'],
]

const dateFunctions = [
  ...['age', 'clock_timestamp', 'date_bin', 'date_part', 'date_trunc', 'extract', 'isfinite'],
  ...['justify_days', 'justify_hours', 'justify_interval', 'make_date', 'make_interval'],
  ...['make_time', 'make_timestamp', 'make_timestamptz', 'now', 'overlaps'],
  ...['statement_timestamp', 'timezone', 'to_char', 'to_date', 'to_timestamp'],
  'transaction_timestamp',
]

const arrayFunctions = [
  ...['array_append', 'array_cat', 'array_dims', 'array_fill', 'array_length', 'array_lower'],
  ...['array_ndims', 'array_position', 'array_positions', 'array_prepend', 'array_remove'],
  ...['array_replace', 'array_to_json', 'array_to_string', 'array_upper', 'cardinality'],
  ...['generate_series', 'generate_subscripts', 'trim_array', 'unnest'],
  ...['enum_first', 'enum_last', 'enum_range'],
]

const jsonFunctions = [
  ...['json_array_elements', 'json_array_elements_text', 'json_array_length'],
  ...['json_build_array', 'json_build_object', 'json_each', 'json_each_text'],
  ...['json_extract_path', 'json_extract_path_text', 'json_object', 'json_object_keys'],
  ...['json_strip_nulls', 'json_typeof', 'jsonb_array_elements', 'jsonb_array_elements_text'],
  ...['jsonb_array_length', 'jsonb_build_array', 'jsonb_build_object', 'jsonb_each'],
  ...['jsonb_each_text', 'jsonb_extract_path', 'jsonb_extract_path_text', 'jsonb_insert'],
  ...['jsonb_object', 'jsonb_object_keys', 'jsonb_path_exists', 'jsonb_path_match'],
  ...['jsonb_path_query', 'jsonb_path_query_array', 'jsonb_path_query_first', 'jsonb_pretty'],
  ...['jsonb_set', 'jsonb_set_lax', 'jsonb_strip_nulls', 'jsonb_typeof', 'row_to_json'],
  ...['to_json', 'to_jsonb', 'json_populate_record', 'json_populate_recordset'],
  ...['jsonb_populate_record', 'jsonb_populate_recordset', 'json_to_record', 'json_to_recordset'],
  ...['jsonb_to_record', 'jsonb_to_recordset'],
]

const rangeFunctions = [
  ...['int4range', 'int8range', 'numrange', 'daterange', 'tsrange', 'tstzrange'],
  ...['int4multirange', 'int8multirange', 'nummultirange'],
  ...['datemultirange', 'tsmultirange', 'tstzmultirange'],
  ...['isempty', 'lower_inc', 'lower_inf', 'upper_inc', 'upper_inf', 'multirange', 'range_merge'],
  ...['int4range_subdiff', 'int8range_subdiff', 'numrange_subdiff', 'daterange_subdiff'],
  ...['tsrange_subdiff', 'tstzrange_subdiff'],
  ...['int4range_canonical', 'int8range_canonical', 'daterange_canonical'],
]

/** Named like a type, these construct and convert: `box(point, point)`, `polygon(12, circle)`. */
const geometricFunctions = [
  ...geometricTypes,
  ...['area', 'bound_box', 'center', 'diagonal', 'diameter', 'height', 'isclosed', 'isopen'],
  ...['ishorizontal', 'isparallel', 'isperp', 'isvertical', 'npoints', 'pclose', 'popen'],
  ...['radius', 'slope', 'width'],
]

const moneyFunctions = ['cash_words', 'money', 'numeric(money)']

const searchFunctions = [
  ...['array_to_tsvector', 'json_to_tsvector', 'jsonb_to_tsvector', 'numnode'],
  ...['phraseto_tsquery', 'plainto_tsquery', 'querytree', 'setweight', 'strip', 'to_tsquery'],
  ...['to_tsvector', 'ts_delete', 'ts_filter', 'ts_headline', 'ts_rank', 'ts_rank_cd'],
  // The other overload runs a query that it takes as a text.
  ...['ts_rewrite(tsquery,tsquery,tsquery)', 'tsquery_phrase', 'tsvector_to_array'],
  'websearch_to_tsquery',
]

const networkFunctions = [
  ...['abbrev', 'broadcast', 'family', 'host', 'hostmask', 'masklen', 'netmask', 'network'],
  ...['inet_merge', 'inet_same_family', 'macaddr8_set7bit', 'set_masklen'],
]

const aggregates = [
  ...['array_agg', 'avg', 'bit_and', 'bit_or', 'bit_xor', 'bool_and', 'bool_or', 'corr'],
  ...['count', 'covar_pop', 'covar_samp', 'every', 'json_agg', 'json_object_agg', 'jsonb_agg'],
  ...['jsonb_object_agg', 'max', 'min', 'mode', 'percentile_cont', 'percentile_disc'],
  ...['range_agg', 'range_intersect_agg'],
  ...['regr_avgx', 'regr_avgy', 'regr_count', 'regr_intercept', 'regr_r2', 'regr_slope'],
  ...['regr_sxx', 'regr_sxy', 'regr_syy', 'stddev', 'stddev_pop', 'stddev_samp'],
  ...['string_agg', 'sum', 'var_pop', 'var_samp', 'variance'],
]

const windowFunctions = [
  ...['cume_dist', 'dense_rank', 'first_value', 'lag', 'last_value', 'lead', 'nth_value'],
  ...['ntile', 'percent_rank', 'rank', 'row_number'],
]

/** Written like calls, these are casts: `date('2024-01-31')`. */
const castFunctions = [
  ...['bool', 'char', 'date', 'float4', 'float8', 'int2', 'int4', 'int8', 'text'],
  ...['numeric(int2)', 'numeric(int4)', 'numeric(int8)', 'numeric(float4)', 'numeric(float8)'],
  ...['numeric(jsonb)', 'time(timestamp)', 'time(timestamptz)', 'time(interval)', 'time(timetz)'],
  ...['timetz(time)', 'timetz(timestamptz)', 'timestamp(date)', 'timestamp(timestamptz)'],
  ...['timestamp(date,time)', 'timestamptz(date,time)', 'timestamptz(date,timetz)'],
  ...['timestamptz(date)', 'timestamptz(timestamp)', 'interval(time)'],
  ...['bpchar(char)', 'bpchar(name)', 'name(text)', 'name(varchar)', 'name(bpchar)'],
  ...['varchar(name)', 'cidr(inet)', 'macaddr(macaddr8)', 'macaddr8(macaddr)'],
]

/** Of the support functions of hash indexes only these are useful in a query, for example to split rows evenly. */
const hashFunctions = [
  ...['hash_array', 'hash_numeric', 'hash_range', 'hash_multirange', 'hashbpchar', 'hashchar'],
  ...['hashenum', 'hashfloat4', 'hashfloat8', 'hashinet', 'hashint2', 'hashint4', 'hashint8'],
  ...['hashmacaddr', 'hashmacaddr8', 'hashname', 'hashtext', 'interval_hash', 'jsonb_hash'],
  ...['time_hash', 'timestamp_hash', 'timetz_hash', 'uuid_hash'],
  ...['hash_array_extended', 'hash_numeric_extended', 'hash_range_extended'],
  ...['hash_multirange_extended', 'hashbpcharextended', 'hashcharextended', 'hashenumextended'],
  ...['hashfloat4extended', 'hashfloat8extended', 'hashinetextended', 'hashint2extended'],
  ...['hashint4extended', 'hashint8extended', 'hashmacaddrextended', 'hashmacaddr8extended'],
  ...['hashnameextended', 'hashtextextended', 'interval_hash_extended', 'jsonb_hash_extended'],
  ...['time_hash_extended', 'timestamp_hash_extended', 'timetz_hash_extended'],
  'uuid_hash_extended',
]

/** Other names of functions and operators above that no operator leads to. */
const otherNames = [
  ...['dexp', 'dlog1', 'dlog10', 'dround', 'dtrunc', 'like', 'notlike', 'numeric_div_trunc'],
  ...['numeric_exp', 'numeric_ln', 'numeric_log', 'numeric_sqrt', 'similar_escape', 'textlen'],
]

/**
 * By name, or one overload by its signature: `lower(text)`. A function that implements an allowed operator is allowed too:
 * `booleq` is `=`.
 *
 * These pure functions of PostgreSQL 15 are refused:
 * - parts of other functions: of aggregates (`int4_avg_accum`, `float8_combine`, `date_larger`), of index access methods
 *   (`in_range`, `btint4cmp`, `time_cmp`, `gin_cmp_tslexeme`, `spg_poly_quad_compress`), of types and of the planner
 *   (`int4in`, `enum_send`, `eqsel`)
 * - casts to a length, which are written as casts: `bpchar(bpchar, int4, bool)`
 * - `xml` and `xpath`: the database's parser of XML expands entities
 * - `to_ascii`: it knows no encoding that a database of Unicode has
 * - functions of values that clients cannot have: snapshots, access control lists, numbers of objects
 *
 * Stable functions that are refused read something else than their arguments: settings, the session and its transaction
 * (`current_setting`, `txid_current`, `age(xid)`), the system catalogs (`format_type`, `to_regclass`, `obj_description`, `ts_debug`,
 * `ts_parse`, `ts_lexize`), or tables that a text names (`query_to_xml`). `jsonb_path_query_tz` and the like depend on the zone
 * of the session inside a document, where nothing shows it.
 */
export const allowedFunctions: readonly string[] = [
  ...textFunctions,
  ...mathFunctions,
  ...dateFunctions,
  ...arrayFunctions,
  ...jsonFunctions,
  ...rangeFunctions,
  ...geometricFunctions,
  ...moneyFunctions,
  ...searchFunctions,
  ...networkFunctions,
  ...aggregates,
  ...windowFunctions,
  ...castFunctions,
  ...hashFunctions,
  ...otherNames,
  'gen_random_uuid',
]

/** Comparison is allowed between these as well. */
export const comparableTypes: readonly string[] = [
  ...ordinaryTypes,
  ...['oid', 'inet', 'macaddr', 'macaddr8', 'tsvector', 'tsquery'],
  // Numbers of transactions, rows and log positions in columns of tables: equality, order and nothing else.
  ...['xid', 'xid8', 'cid', 'tid', 'pg_lsn'],
  ...geometricTypes,
  ...['anyarray', 'anyenum', 'anyrange', 'anymultirange'],
]

export const comparisonOperators: readonly string[] = ['=', '<>', '<', '<=', '>', '>=']

/** Allowed between `allowedFunctionTypes` only, by name. */
export const allowedOperators: readonly string[] = [
  ...['+', '-', '*', '/', '%', '^', '|/', '||/', '@', '&', '|', '#', '~', '<<', '>>'],
  ...['||', '~~', '!~~', '~~*', '!~~*', '~*', '!~', '!~*', '^@'],
  ...['->', '->>', '#>', '#>>', '#-', '@>', '<@', '?', '?|', '?&', '&&', '@?', '@@'],
  ...['<<=', '>>=', '-|-', '&<', '&>', '!!', '@@@'],
  ...['<->', '##', '@-@', '~=', '?#', '?-', '?|', '?-|', '?||'],
  ...['<<|', '|>>', '&<|', '|&>', '<^', '>^'],
  ...['~<~', '~<=~', '~>~', '~>=~'],
]

/** Comparisons of rows by the bytes of their fields: allowed where the database has rows as values, as those of `comparisonOperators`. */
export const rowImageOperators: readonly string[] = ['*=', '*<>', '*<', '*<=', '*>', '*>=']
