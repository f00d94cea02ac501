/** @module Callers to act as: accounts, rows of the user table without an account, API keys. */
import type { RowCaller } from '@engine/auth'
import type { AdminUser, ApiKeyDescription, FoundCaller } from '@engine/contract/admin-api'
import { z } from 'zod'
import type { AdminOptions } from './admin-options.ts'
import { type AddRoutes, json, readQuery } from './admin-route.ts'

/** Maximum number of callers in an answer. */
const mostFound = 20

const searchInput = z.strictObject({ search: z.string().trim().max(200).default('') })

export function addCallerRoutes(add: AddRoutes, options: AdminOptions): void {
  const { auth, apiKeys, clock } = options
  add('/admin/api/callers', {
    GET: async (call) => {
      const { search } = readQuery(call, searchInput)
      const users = await auth?.admin.listUsers({ search, limit: mostFound, offset: 0 })
      const rows = await auth?.admin.findRows(search, mostFound)
      const keys = await apiKeys?.listApiKeys()
      const found = [
        ...(users ?? []).map(ofAccount),
        ...(rows ?? []).map(ofRow),
        ...(keys ?? []).map((key) => ofApiKey(key, clock())).filter(matches(search)),
      ]
      const isExact = ({ id, email }: FoundCaller) => id === search || email === search
      const sorted = found.toSorted((a, b) => Number(isExact(b)) - Number(isExact(a)))
      return json({ callers: sorted.slice(0, mostFound) })
    },
  })
}

function ofAccount({ id, email, name, disabled }: AdminUser): FoundCaller {
  return { kind: 'account', as: { user: id }, id, email, name, isOver: disabled }
}

function ofRow({ id, claims, email, name }: RowCaller): FoundCaller {
  const as = claims === undefined ? { user: id } : { user: id, claims }
  return { kind: 'row', as, id, email, name, isOver: false }
}

function ofApiKey(
  { id, name, revokedAt, expiresAt }: ApiKeyDescription,
  nowMs: number,
): FoundCaller {
  const isOver = revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= nowMs)
  return { kind: 'apiKey', as: { apiKey: id }, id, email: null, name, isOver }
}

function matches(search: string): (caller: FoundCaller) => boolean {
  const part = search.toLowerCase()
  return ({ id, name }) => id === search || name?.toLowerCase().includes(part) === true
}
