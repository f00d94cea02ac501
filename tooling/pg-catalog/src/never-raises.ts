/**
 * @module Functions that raise an error for no value, in addition to those that PostgreSQL itself marks as leakproof.
 *
 * Errors that do not depend on values (no memory, an undetermined collation) do not count. When in
 * doubt a function is not listed: the price is a slower plan, the opposite error leaks rows.
 */

/** By signature. Comparison operators are covered by `comparableWithoutError`. */
export const functionsThatNeverRaise: readonly string[] = [
  ...['lower(text)', 'upper(text)', 'initcap(text)', 'reverse(text)', 'ascii(text)'],
  ...['length(text)', 'length(bpchar)', 'length(bytea)', 'char_length(text)'],
  ...['char_length(bpchar)', 'character_length(text)', 'character_length(bpchar)'],
  ...['octet_length(text)', 'octet_length(bpchar)', 'octet_length(bytea)', 'bit_length(text)'],
  ...['bit_length(bytea)', 'btrim(text)', 'btrim(text,text)', 'ltrim(text)', 'ltrim(text,text)'],
  ...['rtrim(text)', 'rtrim(text,text)', 'left(text,int4)', 'right(text,int4)'],
  ...['strpos(text,text)', 'position(text,text)', 'to_hex(int4)', 'to_hex(int8)'],
  ...['text(bool)', 'text(bpchar)', 'text(name)', 'bool(int4)', 'int4(bool)'],
  ...['sign(float8)', 'sign(numeric)', 'abs(float4)', 'abs(float8)', 'abs(numeric)', 'pi()'],
  ...['ceil(float8)', 'ceiling(float8)', 'floor(float8)', 'round(float8)', 'trunc(float8)'],
  ...['scale(numeric)', 'isfinite(date)', 'isfinite(timestamp)', 'isfinite(timestamptz)'],
  ...['now()', 'clock_timestamp()', 'statement_timestamp()', 'transaction_timestamp()'],
  ...['date(timestamp)', 'random()', 'cardinality(anyarray)', 'array_ndims(anyarray)'],
  ...['array_length(anyarray,int4)', 'array_lower(anyarray,int4)', 'array_upper(anyarray,int4)'],
  ...['json_typeof(json)', 'jsonb_typeof(jsonb)', 'num_nulls(any)', 'num_nonnulls(any)'],
  ...['count()', 'count(any)', 'bool_and(bool)', 'bool_or(bool)', 'every(bool)'],
  ...['row_number()', 'rank()', 'dense_rank()', 'percent_rank()', 'cume_dist()'],
  ...['first_value(anyelement)', 'last_value(anyelement)', 'lag(anyelement)', 'lead(anyelement)'],
  ...['int2', 'int4', 'int8', 'float4', 'float8', 'numeric', 'text', 'bpchar', 'date'].flatMap(
    (type) => [`min(${type})`, `max(${type})`],
  ),
  ...['time', 'timestamp', 'timestamptz', 'interval'].flatMap((type) => [
    `min(${type})`,
    `max(${type})`,
  ]),
]

/** `= <> < <= > >=` between two values of one of these types cannot fail. */
export const comparableWithoutError: readonly string[] = ['numeric', 'anyenum', 'jsonb']

/** Operators that cannot fail, by signature. */
export const operatorsThatNeverRaise: readonly string[] = [
  ...['#', '&', '|'].flatMap((name) =>
    ['int2', 'int4', 'int8'].map((type) => `${name}(${type},${type})`),
  ),
  ...['int2', 'int4', 'int8'].map((type) => `~(${type})`),
  ...['-(float4)', '-(float8)', '-(numeric)', '@(float4)', '@(float8)', '@(numeric)'],
  // Not of json: stored text may contain \u0000, and only reading it raises an error.
  ...['->(jsonb,text)', '->>(jsonb,text)', '->(jsonb,int4)', '->>(jsonb,int4)'],
  ...['?(jsonb,text)', '@>(jsonb,jsonb)', '<@(jsonb,jsonb)', '^@(text,text)'],
]

/** Cast functions that cannot fail, as `source→target`, with `→` written `>`. */
export const castsThatNeverRaise: readonly string[] = [
  ...['bpchar>text', 'bpchar>varchar', 'char>text', 'char>bpchar', 'char>varchar'],
  ...['name>bpchar', 'bool>text', 'bool>varchar', 'bool>bpchar', 'inet>text', 'cidr>text'],
  ...['timestamp>date', 'timestamp>time', 'time>interval', 'timetz>time', 'interval>time'],
]
