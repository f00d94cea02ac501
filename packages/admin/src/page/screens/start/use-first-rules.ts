/** @module The first rules of a role: guessed by the engine, changed table by table in the address. */
import type { GuessedRule, RulesGuess, RulesScope } from '@engine/contract/admin-api'
import type { ApiError } from '../../api/http.ts'
import { useRulesGuess } from '../../api/queries.ts'
import type { Rule } from '../permissions/editor/rule.ts'
import { type Access, guessedAccess, offeredAccess, rulesOf } from './rules.ts'
import { useRules, useStart } from './use-start.ts'

export interface TableRule {
  readonly name: string
  readonly guess: GuessedRule
  readonly access: Access
  readonly offered: readonly Access[]
}

export interface FirstRules {
  /** As it was typed. */
  readonly role: string
  readonly scopes: readonly RulesScope[]
  /** How rows belong to the caller; undefined: they do not. */
  readonly scope: RulesScope | undefined
  readonly tables: readonly TableRule[]
  /** By name, as they will be stored. */
  readonly rules: Readonly<Record<string, Rule>>
  /** The newest revision. */
  readonly revision: number | undefined
  readonly isLoaded: boolean
  /** Why it cannot be loaded. */
  readonly error: ApiError | null
  readonly setAccess: (table: string, access: Access) => void
}

export function useFirstRules(connection: string): FirstRules {
  const { query, set } = useStart()
  const stored = useRules()
  const guess = useRulesGuess(connection, askedScope(query))
  const { scopes = [], scope, tables: guessed = {} } = guess.data ?? {}
  const role = query.get('role') ?? guessedRole(scopes[0])
  const overrides = overridesIn(query.get('access'))
  const tables = tableRules(guessed, overrides)
  const byName = new Map(tables.map(({ name, access }) => [name, access]))
  const rules = rulesOf(
    guessed,
    { connection, role: role.trim(), access: (name) => byName.get(name) ?? 'none' },
    Object.keys(stored.rules ?? {}),
  )
  return {
    role,
    scopes,
    scope,
    tables,
    rules,
    revision: stored.revision,
    isLoaded: stored.rules !== undefined && guess.data !== undefined,
    error:
      (guess.data === undefined ? guess.error : null) ??
      (stored.rules === undefined ? stored.error : null),
    setAccess: (name, access) => set({ access: JSON.stringify({ ...overrides, [name]: access }) }),
  }
}

function tableRules(
  guessed: RulesGuess['tables'],
  overrides: Readonly<Record<string, unknown>>,
): readonly TableRule[] {
  return Object.entries(guessed).map(([name, guess]) => {
    const offered = offeredAccess(guess)
    const wanted = Object.hasOwn(overrides, name) ? overrides[name] : undefined
    const access = offered.find((each) => each === wanted) ?? guessedAccess(guess)
    return { name, guess, access, offered }
  })
}

/** The column and the field of the address, as they are asked for; a field that is none is left out. */
function askedScope(query: URLSearchParams) {
  const by = query.get('by') ?? undefined
  const field = query.get('field') ?? ''
  return {
    by: by === '-' ? '' : by,
    field: /^\w+(?:\.\w+)*$/.test(field) ? field : undefined,
  }
}

function guessedRole(scope: RulesScope | undefined): string {
  const [, noun] = /^([a-z]+)_?(?:id|uuid)$/.exec(scope?.column.toLowerCase() ?? '') ?? []
  return noun === 'customer' || noun === 'client' || noun === 'employee' ? noun : 'member'
}

function overridesIn(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
