/** @module Settings of every session, on both kinds of server. */

/**
 * Modes that change the meaning of SQL. Backslashes stay escapes and grouping is checked elsewhere: NO_BACKSLASH_ESCAPES,
 * HIGH_NOT_PRECEDENCE and ONLY_FULL_GROUP_BY must be absent.
 */
export const sqlModes = [
  'ANSI_QUOTES',
  'PIPES_AS_CONCAT',
  'STRICT_ALL_TABLES',
  'ERROR_FOR_DIVISION_BY_ZERO',
  'NO_ZERO_DATE',
  'NO_ZERO_IN_DATE',
  'NO_ENGINE_SUBSTITUTION',
  'NO_UNSIGNED_SUBTRACTION',
  // 0 is an ordinary number, and does not request the next one.
  'NO_AUTO_VALUE_ON_ZERO',
] as const

/** Settings of both servers. */
export const commonSettings = [
  "time_zone = '+00:00'",
  // Some errors are distinguished by their texts.
  "lc_messages = 'en_US'",
  'autocommit = 1',
  'foreign_key_checks = 1',
  'unique_checks = 1',
  'sql_auto_is_null = 0',
  'sql_safe_updates = 0',
  'sql_big_selects = 1',
  'sql_select_limit = 18446744073709551615',
  'group_concat_max_len = 1073741824',
  // A quotient has four digits more than its dividend.
  'div_precision_increment = 4',
  // COMMIT neither opens another transaction nor closes the connection.
  "completion_type = 'NO_CHAIN'",
  // The bytes of a text that are compared when rows are sorted; the sort buffer must have room for 15 rows with keys of this
  // length.
  'max_sort_length = 32768',
  'sort_buffer_size = 33554432',
] as const

/** All warnings are read; an answer with more than were kept is refused: see `warnings.ts`. */
export const everyWarning = 'max_error_count = 65535'
