/** @module A permission as JSON, as the editor changes it. */
import type { ColumnDescription } from '@engine/contract'
import type { Catalog } from '@engine/contract/admin-api'
import { filterOf, type Group } from './filter-tree.ts'

export type Json = Readonly<Record<string, unknown>>

export type Block = 'select' | 'insert' | 'update' | 'delete'

export interface Rule extends Json {
  readonly table: string
  readonly roles: readonly string[]
}

export function newRule(table: string, roles: readonly string[]): Rule {
  return { table, roles, select: {} }
}

export function blockOf(rule: Json, block: Block): Json | undefined {
  const value = rule[block]
  return typeof value === 'object' && value !== null ? (value as Json) : undefined
}

/** The rule with another value of an option; undefined leaves the option out. */
export function withOption<Of extends Json>(rule: Of, option: string, value: unknown): Of {
  const { [option]: _, ...rest } = rule
  return (value === undefined ? rest : { ...rule, [option]: value }) as Of
}

export function withBlock(rule: Rule, block: Block, value: Json | undefined): Rule {
  return withOption(rule, block, value)
}

export function withFilter<Of extends Json>(rule: Of, option: string, group: Group): Of {
  return withOption(rule, option, filterOf(group))
}

/** A text that a person wrote, as a rule. @throws {Error} saying what is missing. */
export function ruleFrom(text: string): Rule {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error('Expects an object with table and roles.')
  }
  const { table, roles } = value as Json
  if (typeof table !== 'string') throw new Error('table: expects "<connection>.<table>".')
  if (!Array.isArray(roles) || !roles.every((role) => typeof role === 'string')) {
    throw new Error('roles: expects a list of names.')
  }
  return value as Rule
}

/** `main.orders`: the connection has no dot. */
export function tableParts(name: string): { readonly connection: string; readonly table: string } {
  const dot = name.indexOf('.')
  return { connection: name.slice(0, Math.max(dot, 0)), table: name.slice(dot + 1) }
}

export function columnsIn(
  catalog: Catalog | undefined,
  name: string,
): Readonly<Record<string, ColumnDescription>> {
  const { connection, table } = tableParts(name)
  const tables = catalog?.connections[connection]?.tables ?? {}
  return Object.hasOwn(tables, table) ? (tables[table]?.columns ?? {}) : {}
}

/** The fields of callers that a configuration names: in its rules, and as columns of the user table. */
export function callerFields(...written: readonly unknown[]): readonly string[] {
  const text = JSON.stringify(written) ?? ''
  const named = [...text.matchAll(/"\$user\.([\w.]+)"/g)].map(([, field = '']) => field)
  const columns = [...text.matchAll(/"userTable":\{[^}]*?"columns":\[([^\]]*)\]/g)].flatMap(
    ([, list = '']) => [...list.matchAll(/"([^"]+)"/g)].map(([, field = '']) => field),
  )
  return [...new Set(['id', ...named, ...columns])].sort()
}

/** A name for a new rule that no other has. */
export function freeName(
  table: string,
  roles: readonly string[],
  taken: readonly string[],
): string {
  const wanted = [...roles.slice(0, 2), tableParts(table).table]
    .join('-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]+/g, '-')
    .replace(/^-*$/, 'rule')
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted}-${number}`
    if (!taken.includes(name)) return name
  }
}
