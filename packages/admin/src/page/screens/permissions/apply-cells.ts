/** @module Rights for several tables and roles at once: the rules that a choice of cells adds, changes or removes. */

import type { Operation } from './access.ts'
import { freeName, type Json, type Rule } from './editor/rule.ts'

export interface ChosenCell {
  readonly table: string
  readonly role: string
}

type Rules = Readonly<Record<string, Rule>>

/** Names of rules with their new value; null removes one. */
export type RulesPatch = Readonly<Record<string, Rule | null>>

/** One rule for each table, for all roles that are chosen there. @param where a row filter for reads and writes. */
export function granting(
  cells: readonly ChosenCell[],
  operations: readonly Operation[],
  where: Json | undefined,
  rules: Rules,
): RulesPatch {
  const patch: Record<string, Rule> = {}
  for (const [table, chosen] of Map.groupBy(cells, (cell) => cell.table)) {
    const roles = chosen.map(({ role }) => role)
    const name = freeName(table, roles, [...Object.keys(rules), ...Object.keys(patch)])
    const blocks = operations.map((operation) => [operation, blockOf(operation, where)])
    patch[name] = { table, roles, ...Object.fromEntries(blocks) }
  }
  return patch
}

function blockOf(operation: Operation, where: Json | undefined): Json {
  if (where === undefined) return {}
  return operation === 'insert' ? { check: where } : { where }
}

/** Takes the chosen roles out of all rules for the chosen tables; a rule without roles is removed. */
export function revoking(cells: readonly ChosenCell[], rules: Rules): RulesPatch {
  const patch: Record<string, Rule | null> = {}
  for (const [name, rule] of Object.entries(rules)) {
    const gone = cells.filter(({ table }) => table === rule.table).map(({ role }) => role)
    const left = rule.roles.filter((role) => !gone.includes(role))
    if (left.length === rule.roles.length) continue
    patch[name] = left.length === 0 ? null : { ...rule, roles: left }
  }
  return patch
}
