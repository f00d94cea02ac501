/** @module Permissions from the engine's guesses and from what a person chose. */
import type { GuessedRule, RulesGuess } from '@engine/contract/admin-api'
import { freeName, type Rule } from '../permissions/editor/rule.ts'

export type Access = 'none' | 'read' | 'write'

export interface Choices {
  readonly connection: string
  readonly role: string
  readonly access: (table: string) => Access
}

/** Without a tie to the caller nothing is guessed: every row would be for everybody of the role. */
export function guessedAccess({ tie }: GuessedRule): Access {
  return tie === undefined ? 'none' : 'read'
}

/** Writing needs a table whose rows are tied to the caller, and that does not decide about access. */
export function offeredAccess({ select, writes }: GuessedRule): readonly Access[] {
  if (select === undefined) return ['none']
  return writes === undefined ? ['none', 'read'] : ['none', 'read', 'write']
}

/** @param taken names that other permissions have. */
export function rulesOf(
  tables: RulesGuess['tables'],
  { connection, role, access }: Choices,
  taken: readonly string[],
): Readonly<Record<string, Rule>> {
  const rules: Record<string, Rule> = {}
  for (const [name, { select, writes = {} }] of Object.entries(tables)) {
    const wanted = access(name)
    if (wanted === 'none' || select === undefined) continue
    const read: Rule = { table: `${connection}.${name}`, roles: [role], select }
    const rule = wanted === 'write' ? { ...read, ...writes } : read
    rules[freeName(rule.table, [role], [...taken, ...Object.keys(rules)])] = rule
  }
  return rules
}

/** The rule in one line. */
export function sentenceOf({ tie, writes, select, comments }: GuessedRule, access: Access): string {
  if (select === undefined) return comments[0] ?? 'No access.'
  if (access === 'none')
    return tie === undefined ? 'Nothing ties its rows to a caller.' : 'No access.'
  if (tie === undefined) return 'Every row, for everybody with this role.'
  const rows = {
    column: `Rows whose ${tie.by} is the caller’s.`,
    itself: 'The one row that is the caller.',
    relation: 'Rows of what is the caller’s.',
  }[tie.kind]
  const why = comments.length === 0 ? '' : ` ${comments.join(' ')}`
  if (access === 'write') return `${rows} ${verbsOf(writes ?? {})}${why}`
  return writes === undefined ? `${rows}${why}` : rows
}

function verbsOf(writes: Readonly<Record<string, unknown>>): string {
  const verbs = [
    ...(writes['insert'] === undefined ? [] : ['Adds']),
    ...(writes['update'] === undefined ? [] : ['changes']),
    ...(writes['delete'] === undefined ? [] : ['deletes']),
  ].join(', ')
  return `${verbs.slice(0, 1).toUpperCase()}${verbs.slice(1)} them.`
}
