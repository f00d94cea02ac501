/** @module The first rules that the pages of an administrator propose: the same guesses as those of `init`. */
import type { Connection, Table } from '@engine/core/catalog'
import type { AskedScope, GuessedRule, RulesGuess, RulesScope } from '@engine/http'
import { guessAccess, type TableAccess } from './guess-access.ts'
import { type Scope, scopeOf, scopesOf } from './guess-scopes.ts'
import { guessUserTables, userTableOf } from './guess-users.ts'
import type { RowFilter } from './row-filter.ts'

export function guessRules(connection: Connection, asked: AskedScope): RulesGuess {
  const scopes = scopesOf(connection.tables.values())
  const chosen = chosenScope(scopes, asked)
  const scope = chosen && scopeOf(chosen, connection)
  const [guessed] = guessUserTables(connection)
  const person = scope?.isGroup === false ? scope.target : undefined
  const users = (person && userTableOf(person)) ?? guessed
  // Without a column no row is anyone's, and nothing is written.
  const none: Scope = { column: '', field: 'id', isGroup: true, target: undefined }
  const tables = guessAccess(connection, { users, tenancy: undefined, scope: scope ?? none })
  const rules = tables.map((access) => [access.table.name, ruleOf(access, scope)] as const)
  return { scopes, scope: chosen, tables: Object.fromEntries(rules) }
}

function chosenScope(
  scopes: readonly RulesScope[],
  { column, field }: AskedScope,
): RulesScope | undefined {
  if (column === '') return undefined
  const found = scopes.find((scope) => scope.column === column) ?? scopes[0]
  return found === undefined || field === undefined ? found : { ...found, field }
}

function ruleOf(access: TableAccess, scope: Scope | undefined): GuessedRule {
  const { table, kind, columns, secrets, readOnly, undecided, writes, reason } = access
  const where = access.own ?? access.tenant
  const { comments: about, ...granted } = writes
  const isRead = kind !== 'none' && undecided === undefined
  const isTied = isRead && table.kind === 'table' && where !== undefined
  return {
    owners: scopesOf([table]).map(({ column }) => column),
    hidden: secrets,
    tie: isTied ? tieOf(table, where, scope) : undefined,
    select: isRead ? { columns, ...(where === undefined ? {} : { where }) } : undefined,
    writes: isTied && Object.keys(granted).length > 0 ? granted : undefined,
    comments: [
      ...(isRead ? [] : [undecided ?? `No rule: ${reason}.`]),
      ...(readOnly === undefined ? [] : [`Read-only: ${readOnly}.`]),
      ...about,
    ],
  }
}

function tieOf(table: Table, where: RowFilter, scope: Scope | undefined): GuessedRule['tie'] {
  const [by = ''] = Object.keys(where)
  if (table.columns.some(({ name }) => name === scope?.column)) return { kind: 'column', by }
  return { kind: table === scope?.target ? 'itself' : 'relation', by }
}
