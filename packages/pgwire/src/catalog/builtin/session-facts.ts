/**
 * @module Statements that ask for nothing but facts about their session: `select version()`, `select current_user, pg_backend_pid()`.
 * The answers come from this process and do not wait for any database.
 */
import { GatewayError } from '@engine/core'
import { parseScript } from '@engine/core/session'
import { LRUCache } from 'lru-cache'
import { listOf, literalOf, nodeOf, stringNodes } from '../../syntax/syntax-node.ts'
import type { CatalogScope } from '../wire-catalog.ts'
import { valueFunctionName } from './expression.ts'

const functions: ReadonlySet<string> = new Set([
  'version',
  'current_database',
  'current_catalog',
  'current_user',
  'session_user',
  'current_role',
  'user',
  'pg_backend_pid',
  'pg_is_in_recovery',
])

/** The settings that a statement asks for; undefined for any other statement. */
const known = new LRUCache<string, readonly string[] | 'another'>({
  max: 1_000,
  maxSize: 256 * 1024,
  sizeCalculation: (_, sql) => sql.length + 1,
})

const longest = 500

/** @param sql one statement; the parser is loaded */
export function asksForSessionFacts(
  sql: string,
  { settings, user, database }: Pick<CatalogScope, 'settings' | 'user' | 'database'>,
): boolean {
  if (sql.length > longest || sql.includes('\0')) return false
  if (isReserved(user) || isReserved(database)) return false
  const found = known.get(sql) ?? settingsAskedFor(sql) ?? 'another'
  known.set(sql, found)
  return found !== 'another' && found.every((name) => settings.has(name))
}

/** PostgreSQL would cut the name, or has a role of that name itself. */
function isReserved(name: string): boolean {
  return name.startsWith('pg_') || Buffer.byteLength(name) > 63
}

/** A SELECT of one row has no other fields. */
const expectedFields: ReadonlySet<string> = new Set(['targetList', 'limitOption', 'op'])

function settingsAskedFor(sql: string): readonly string[] | undefined {
  if (!/^\s*select\b/i.test(sql)) return undefined
  const [statement, more] = parsed(sql)
  const { kind, fields } = nodeOf(statement?.tree)
  if (kind !== 'SelectStmt' || more !== undefined) return undefined
  if (Object.keys(fields).some((field) => !expectedFields.has(field))) return undefined
  const settings: string[] = []
  for (const target of listOf(fields['targetList'])) {
    const setting = settingOf(nodeOf(target).fields['val'])
    if (setting === undefined) return undefined
    settings.push(...setting)
  }
  return settings
}

/** Nothing for what only the catalog can read: it tells the error. */
function parsed(sql: string): ReturnType<typeof parseScript> {
  try {
    return parseScript(sql)
  } catch (error) {
    if (error instanceof GatewayError) return []
    throw error
  }
}

/** A literal or a parameter. */
function isGiven(value: unknown): boolean {
  const { kind, fields } = nodeOf(value)
  if (kind === 'TypeCast') return isGiven(fields['arg'])
  return kind === 'A_Const' || kind === 'ParamRef'
}

/** The call's setting, or nothing; undefined for any other expression. */
function settingOf(value: unknown): readonly string[] | undefined {
  const { kind, fields } = nodeOf(value)
  if (kind === 'TypeCast') return settingOf(fields['arg'])
  if (kind === 'SQLValueFunction') {
    return functions.has(valueFunctionName(fields)) ? [] : undefined
  }
  if (kind !== 'FuncCall') return undefined
  const path = stringNodes(fields['funcname'])
  const args = listOf(fields['args'])
  const name = path.at(-1) ?? ''
  if (path.length > 1 && path[0] !== 'pg_catalog') return undefined
  if (functions.has(name)) return args.length === 0 ? [] : undefined
  if (name === 'set_config') return args.length === 3 && args.every(isGiven) ? [] : undefined
  const literal = literalOf(args[0])
  const isSetting = name === 'current_setting' && args.length === 1 && literal?.type === 'string'
  return isSetting ? [literal.text] : undefined
}
