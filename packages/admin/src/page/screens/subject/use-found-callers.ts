/** @module Callers that the server finds, and the name of one of whom a page has the id alone. */
import type { AdminApi, FoundCaller } from '@engine/contract/admin-api'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { type ApiError, request } from '../../api/http.ts'
import { idOf, type Subject } from './subject.ts'

/** @param search part of an address or a name, or an id. */
export function useFoundCallers(
  search: string,
  isWanted = true,
): UseQueryResult<AdminApi['GET /callers'], ApiError> {
  return useQuery<AdminApi['GET /callers'], ApiError>({
    queryKey: ['callers', search],
    queryFn: ({ signal }) => request('GET /callers', { signal, query: { search } }),
    enabled: isWanted,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    retry: false,
  })
}

/** An address, else a name, else the id. */
export function labelOf({ email, name, id }: FoundCaller): string {
  return email ?? (name === null || name === '' ? id : name)
}

/** Callers without an account or a key. */
const unnamed: readonly string[] = ['', 'anonymous', 'admin', 'system']

/**
 * The address of an account or the name of an API key; undefined where the server knows neither.
 *
 * @param caller as the audit has it: an id, or `key:` and the id of an API key.
 */
export function useCallerName(caller: string | null): string | undefined {
  const id = (caller ?? '').replace(/^key:/, '')
  const { data } = useFoundCallers(id, !unnamed.includes(id))
  const known = data?.callers.find((each) => each.id === id)
  return known === undefined ? undefined : labelOf(known)
}

/** A link names a caller by its id alone: the server knows its address. */
export function useNamedSubject(subject: Subject): Subject {
  const { kind, caller } = subject
  const id = kind === 'caller' && caller !== null ? idOf(caller.as) : ''
  const isUnnamed = id !== '' && caller?.label === id
  const { data } = useFoundCallers(id, isUnnamed)
  if (!isUnnamed || caller === null) return subject
  const known = data?.callers.find((each) => each.id === id)
  return known === undefined
    ? subject
    : { ...subject, caller: { ...caller, label: labelOf(known) } }
}
