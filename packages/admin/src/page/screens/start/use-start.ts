/** @module What the steps of the first run share: the connection and role in the address, tables and rules. */
import type { CatalogTable } from '@engine/contract/admin-api'
import { useLocation } from 'wouter'
import { useCatalog } from '../../api/queries.ts'
import { useStored } from '../../api/stored.ts'
import { useSearchText } from '../../shell/address.ts'
import { type Rule, tableParts } from '../permissions/editor/rule.ts'
import type { StepId } from './start-address.ts'

export type Tables = Readonly<Record<string, CatalogTable>>

export interface StartState {
  readonly query: URLSearchParams
  /** Changes the address of this step; an empty value leaves a name out. */
  readonly set: (changes: Readonly<Record<string, string>>) => void
  readonly goTo: (step: StepId, changes?: Readonly<Record<string, string>>) => void
}

export function useStart(): StartState {
  const [path, go] = useLocation()
  const query = new URLSearchParams(useSearchText())
  const changed = (changes: Readonly<Record<string, string>>): string => {
    const next = new URLSearchParams(query)
    for (const [name, value] of Object.entries(changes)) {
      if (value === '') next.delete(name)
      else next.set(name, value)
    }
    return next.size === 0 ? '' : `?${next}`
  }
  return {
    query,
    set: (changes) => go(`${path}${changed(changes)}`, { replace: true }),
    goTo: (step, changes = {}) => go(`/start/${step}${changed(changes)}`),
  }
}

/** The tables of the connection in the address, else of the first; undefined while they load. */
export function useTables(wanted: string | null) {
  const { data, error, refetch } = useCatalog()
  const names = Object.keys(data?.connections ?? {})
  const unreached = data?.unreached ?? []
  const all = [...names, ...unreached.filter((name) => !names.includes(name))]
  const connection = wanted !== null && all.includes(wanted) ? wanted : (all[0] ?? '')
  const tables: Tables | undefined = data && (data.connections[connection]?.tables ?? {})
  return {
    connection,
    connections: all,
    tables,
    isUnreached: unreached.includes(connection),
    error,
    refetch,
  }
}

export type Rules = Readonly<Record<string, Rule>>

export function useRules() {
  const { data, error } = useStored<Rules>('permissions')
  return { rules: data && (data.value ?? {}), revision: data?.revision, error }
}

/** Roles with a rule on the connection, those of the newest rules last. */
export function rolesOn(rules: Rules, connection: string): readonly string[] {
  const own = Object.values(rules).filter(
    ({ table }) => tableParts(table).connection === connection,
  )
  return [...new Set(own.flatMap(({ roles }) => roles))].filter((role) => role !== '*')
}

export function rulesFor(rules: Rules, connection: string, role: string): Rules {
  return Object.fromEntries(
    Object.entries(rules).filter(
      ([, { table, roles }]) => tableParts(table).connection === connection && roles.includes(role),
    ),
  )
}
