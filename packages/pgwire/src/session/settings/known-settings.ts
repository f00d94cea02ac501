/** @module Settings that have an effect here, and those that clients read. */
import { encodingName } from '../../encodings/encoding-names.ts'
import { isSupportedEncoding } from '../../encodings/encoding-of.ts'
import { normalizeTimeZone } from '../../values/zone-name.ts'
import { unsupported } from '../statements/refused-statement.ts'
import { acceptedSettings } from './accepted-settings.ts'
import { cleanName } from './application-name.ts'
import { normalizeDateStyle } from './date-style.ts'
import { parseNameList } from './name-list.ts'
import { milliseconds } from './parse-setting.ts'
import {
  choiceSetting,
  define,
  flagSetting,
  numberSetting,
  type SettingDefinition,
  textSetting,
} from './setting-definition.ts'
import { invalidValue } from './setting-error.ts'
import { normalizeConfiguration, usualConfiguration } from './text-search.ts'

const reported = { isReported: true } as const
const fixed = { access: 'fixed' } as const
const longTime = { min: 0, max: 2_147_483_647, unit: milliseconds } as const

const isolationLevels = [
  'read committed',
  'serializable',
  'repeatable read',
  'read uncommitted',
] as const

const meaningful: readonly SettingDefinition[] = [
  textSetting('server_version', '', 'Shows the server version.', { ...fixed, ...reported }),
  textSetting('server_version_num', '', 'Shows the server version as an integer.', fixed),
  textSetting('server_encoding', 'UTF8', 'Shows the server (database) character set encoding.', {
    ...fixed,
    ...reported,
  }),
  textSetting('integer_datetimes', 'on', 'Shows whether datetimes are integer based.', {
    ...fixed,
    ...reported,
  }),
  textSetting('in_hot_standby', 'off', 'Shows whether hot standby is currently active.', {
    ...fixed,
    ...reported,
  }),
  textSetting('is_superuser', 'off', 'Shows whether the current user is a superuser.', {
    ...fixed,
    ...reported,
    isHidden: true,
  }),
  textSetting('max_identifier_length', '63', 'Shows the maximum identifier length.', fixed),
  textSetting('max_index_keys', '32', 'Shows the maximum number of index keys.', fixed),
  textSetting('max_function_args', '100', 'Shows the maximum number of function arguments.', fixed),
  textSetting('block_size', '8192', 'Shows the size of a disk block.', fixed),
  textSetting('lc_collate', 'C', 'Shows the collation order locale.', fixed),
  textSetting(
    'lc_ctype',
    'C',
    'Shows the character classification and case conversion locale.',
    fixed,
  ),
  define('application_name', '', 'Sets the application name of the session.', cleanName, reported),
  define(
    'client_encoding',
    'UTF8',
    'Sets the client character set encoding.',
    clientEncoding,
    reported,
  ),
  define(
    'DateStyle',
    'ISO, MDY',
    'Sets the display format for date and time values.',
    normalizeDateStyle,
    reported,
  ),
  choiceSetting(
    'IntervalStyle',
    ['postgres', 'postgres_verbose', 'sql_standard', 'iso_8601'],
    'Sets the display format for interval values.',
    reported,
  ),
  define(
    'TimeZone',
    'UTC',
    'Sets the time zone for displaying and interpreting time stamps.',
    timeZone,
    reported,
  ),
  define(
    'default_text_search_config',
    usualConfiguration,
    'Sets default text search configuration.',
    normalizeConfiguration,
  ),
  flagSetting(
    'standard_conforming_strings',
    'on',
    "Causes '...' strings to treat backslashes literally.",
    reported,
  ),
  flagSetting(
    'default_transaction_read_only',
    'off',
    'Sets the default read-only status of new transactions.',
    reported,
  ),
  flagSetting(
    'default_transaction_deferrable',
    'off',
    'Sets the default deferrable status of new transactions.',
  ),
  choiceSetting(
    'default_transaction_isolation',
    isolationLevels,
    'Sets the isolation level of each new transaction.',
  ),
  choiceSetting(
    'transaction_isolation',
    isolationLevels,
    "Sets the current transaction's isolation level.",
    {
      isKept: true,
    },
  ),
  flagSetting('transaction_read_only', 'off', "Sets the current transaction's read-only status.", {
    isKept: true,
  }),
  flagSetting(
    'transaction_deferrable',
    'off',
    "Sets the current transaction's deferrable status.",
    { isKept: true },
  ),
  define(
    'search_path',
    '',
    'Sets the schema search order for names that are not schema-qualified.',
    searchPath,
    reported,
  ),
  define('role', 'none', 'Sets the current role.', role, { isHidden: true, isKept: true }),
  define('session_authorization', '', 'Sets the session user name.', sessionAuthorization, {
    ...reported,
    isHidden: true,
    isKept: true,
  }),
  numberSetting(
    'scram_iterations',
    4096,
    { min: 1, max: 2_147_483_647 },
    'Sets the iteration count for SCRAM secret generation.',
    reported,
  ),
  numberSetting(
    'extra_float_digits',
    1,
    { min: -15, max: 3 },
    'Sets the number of digits displayed for floating-point values.',
  ),
  choiceSetting('bytea_output', ['hex', 'escape'], 'Sets the output format for bytea.'),
  numberSetting(
    'statement_timeout',
    0,
    longTime,
    'Sets the maximum allowed duration of any statement.',
  ),
  numberSetting(
    'lock_timeout',
    0,
    longTime,
    'Sets the maximum allowed duration of any wait for a lock.',
  ),
  numberSetting(
    'idle_in_transaction_session_timeout',
    0,
    longTime,
    'Sets the maximum allowed idle time between queries, when in a transaction.',
  ),
  numberSetting(
    'idle_session_timeout',
    0,
    longTime,
    'Sets the maximum allowed idle time between queries, when not in a transaction.',
  ),
]

/** By name in lower case. */
export const knownSettings: ReadonlyMap<string, SettingDefinition> = new Map(
  [...acceptedSettings, ...meaningful].map((setting) => [setting.name.toLowerCase(), setting]),
)

/** Former names of settings. */
const formerNames: ReadonlyMap<string, string> = new Map([
  ['sort_mem', 'work_mem'],
  ['vacuum_mem', 'maintenance_work_mem'],
  ['force_parallel_mode', 'debug_parallel_query'],
])

/** A name in the client's spelling → the key in `knownSettings`: `datestyle` → `DateStyle`. */
export function settingKey(name: string): string {
  const key = name.toLowerCase()
  return formerNames.get(key) ?? key
}

function clientEncoding(value: string): string {
  const name = encodingName(value)
  if (name === undefined) throw invalidValue('client_encoding', value)
  if (isSupportedEncoding(name)) return name
  throw unsupported(`client_encoding ${name} is not supported: use UTF8`)
}

function timeZone(value: string): string {
  const zone = normalizeTimeZone(value)
  if (zone === undefined) throw invalidValue('TimeZone', value)
  return zone
}

function searchPath(value: string): string {
  if (parseNameList(value) === undefined) throw invalidValue('search_path', value)
  return value
}

function role(value: string): string {
  if (value === 'none') return value
  throw unsupported('SET ROLE is not supported: the role is the one of whoever logged in')
}

function sessionAuthorization(value: string, current: string): string {
  if (value === current) return value
  throw unsupported('SET SESSION AUTHORIZATION is not supported: log in as somebody else')
}
