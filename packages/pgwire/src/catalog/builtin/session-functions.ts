/** @module Functions that return facts about the session, and a few more that drivers call. */
import { oids } from '@engine/core/values'
import type { CatalogScope } from '../wire-catalog.ts'
import type { BuiltinColumn, Cell } from './evaluated.ts'

export interface SessionFunction extends BuiltinColumn {
  readonly argumentOids: readonly number[]
  readonly call: (scope: BuiltinScope, values: readonly Cell[]) => Cell
}

/** Functions about the session that the built-in catalog computes itself. */
export interface BuiltinScope extends CatalogScope {
  readonly version: string
  readonly now: () => Date
}

const { text, name, int4, bool, timestamptz } = oids
const voidOid = 2278

const user = (scope: BuiltinScope): Cell => scope.user
const database = (scope: BuiltinScope): Cell => scope.database

/** Overloads differ in the number of their arguments only. */
const functions: readonly SessionFunction[] = [
  define('version', [], text, ({ version }) => version),
  define('current_database', [], name, database),
  define('current_catalog', [], name, database),
  define('current_user', [], name, user),
  define('session_user', [], name, user),
  define('current_role', [], name, user),
  define('user', [], name, user),
  define('current_schema', [], name, currentSchema),
  define('pg_backend_pid', [], int4, ({ processId }) => String(processId)),
  define('pg_is_in_recovery', [], bool, () => 'f'),
  define('pg_advisory_unlock_all', [], voidOid, () => ''),
  define('now', [], timestamptz, timestamp),
  define('current_timestamp', [], timestamptz, timestamp),
  define('current_setting', [text], text, setting),
  define('current_setting', [text, bool], text, setting),
  // The session sets it, beside the answer.
  define('set_config', [text, text, bool], text, (_, [, value = null]) => value),
]

/** Undefined where no function has this name and this number of arguments. */
export function sessionFunction(
  functionName: string,
  argumentCount: number,
): SessionFunction | undefined {
  return functions.find(
    (found) => found.name === functionName && found.argumentOids.length === argumentCount,
  )
}

function define(
  functionName: string,
  argumentOids: readonly number[],
  oid: number,
  call: SessionFunction['call'],
): SessionFunction {
  return { name: functionName, argumentOids, oid, call }
}

/** The first schema of the search path that exists. */
function currentSchema({ settings, visible }: BuiltinScope): Cell {
  const path = settingOf(settings, 'search_path') ?? ''
  const names = path.split(',').map((part) => part.trim().replace(/^"(.*)"$/, '$1'))
  const schemas = new Set(visible.connections.map((connection) => connection.name))
  return names.find((schema) => schemas.has(schema)) ?? null
}

function setting({ settings }: BuiltinScope, [settingName]: readonly Cell[]): Cell {
  return settingName === null || settingName === undefined
    ? null
    : (settingOf(settings, settingName) ?? null)
}

function settingOf(settings: ReadonlyMap<string, string>, wanted: string): string | undefined {
  const lowerCase = wanted.toLowerCase()
  for (const [settingName, value] of settings) {
    if (settingName.toLowerCase() === lowerCase) return value
  }
  return undefined
}

function timestamp({ now }: BuiltinScope): Cell {
  return now().toISOString().replace('T', ' ').replace('Z', '+00')
}
