/** @module As whom a statement runs: the `as` or `token` of `/admin/api`. */
import type { CallerName } from '@engine/contract/admin-api'
import { shortText } from '../../components/visible-text.ts'

/** A caller that the engine knows, and how `as` names it. */
export interface ChosenCaller {
  readonly as: CallerName
  /** An address, a name or an id. */
  readonly label: string
}

export interface Subject {
  readonly kind: 'anonymous' | 'caller' | 'entry' | 'described' | 'token' | 'admin'
  /** Of a `caller`; null: none is chosen yet. */
  readonly caller: ChosenCaller | null
  /** Id of the audit entry whose caller it is. */
  readonly entry: string
  readonly id: string
  readonly roles: readonly string[]
  /** JSON: the fields that `$user.<field>` reads. */
  readonly fields: string
  readonly token: string
}

export const anonymousSubject: Subject = {
  kind: 'anonymous',
  caller: null,
  entry: '',
  id: '',
  roles: [],
  fields: '',
  token: '',
}

/** The part of the body of `/admin/api/explain`, `/simulate` and `/query`. @throws {Error} naming what is wrong. */
export function subjectBody(subject: Subject): Readonly<Record<string, unknown>> {
  switch (subject.kind) {
    case 'anonymous':
    case 'admin':
      return { as: subject.kind }
    case 'token':
      if (subject.token === '') throw new Error('Paste a token, or choose another subject.')
      return { token: subject.token }
    case 'caller':
      if (subject.caller === null) throw new Error('Choose a user or an API key.')
      return { as: subject.caller.as }
    case 'entry':
      return { as: { entry: subject.entry } }
    case 'described': {
      const { id, roles } = subject
      return { as: { ...(id === '' ? {} : { id }), roles, fields: parseFields(subject.fields) } }
    }
  }
}

function parseFields(text: string): object {
  if (text.trim() === '') return {}
  const fields = objectIn(text)
  if (fields !== undefined) return fields
  throw new Error('Fields must be a JSON object: { "customer_id": 7 }')
}

/** Parameters of a statement. @throws {Error} */
export function parseParams(text: string): readonly unknown[] {
  if (text.trim() === '') return []
  try {
    const params: unknown = JSON.parse(text)
    if (Array.isArray(params)) return params
  } catch {
    // The message below says it better.
  }
  throw new Error('Parameters must be a JSON list: [7, "paid"]')
}

/** One line about it: `anonymous`, `customer · id 7`. Never the token. */
export function subjectText({ kind, caller, id, roles }: Subject): string {
  if (kind === 'caller') return caller === null ? 'a user' : shortText(caller.label, 40)
  if (kind === 'entry') return 'the caller of the entry'
  if (kind === 'admin') return 'unrestricted'
  if (kind === 'token') return 'a token'
  if (kind === 'anonymous') return 'anonymous'
  const who = id === '' ? [] : [`id ${id}`]
  return shortText([roles.length === 0 ? 'no roles' : roles.join(', '), ...who].join(' · '), 80)
}

/** The query string of a page with this subject and statement. Tokens never get into an address. */
export function subjectQuery(subject: Subject, sql: string, params = ''): string {
  const query = new URLSearchParams()
  if (sql !== '') query.set('sql', sql)
  if (params !== '') query.set('params', params)
  if (subject.kind === 'caller' && subject.caller !== null) {
    query.set('as', 'caller')
    query.set('caller', JSON.stringify(subject.caller.as))
  }
  if (subject.kind === 'entry') {
    query.set('as', 'entry')
    query.set('entry', subject.entry)
  }
  if (subject.kind === 'described') {
    query.set('as', 'described')
    for (const role of subject.roles) query.append('role', role)
    if (subject.id !== '') query.set('id', subject.id)
    if (subject.fields !== '') query.set('fields', subject.fields)
  }
  return query.toString()
}

/** The other direction. An address never chooses the unrestricted subject. */
export function subjectFromQuery(search: string): {
  readonly subject: Subject
  readonly sql: string
  readonly params: string
} {
  const query = new URLSearchParams(search)
  return {
    subject: subjectIn(query),
    sql: query.get('sql') ?? '',
    params: query.get('params') ?? '',
  }
}

function subjectIn(query: URLSearchParams): Subject {
  switch (query.get('as')) {
    case 'caller': {
      const as = callerName(query.get('caller') ?? '')
      if (as === undefined) return anonymousSubject
      return { ...anonymousSubject, kind: 'caller', caller: { as, label: idOf(as) } }
    }
    case 'entry':
      return { ...anonymousSubject, kind: 'entry', entry: query.get('entry') ?? '' }
    case 'described':
      return {
        ...anonymousSubject,
        kind: 'described',
        id: query.get('id') ?? '',
        roles: query.getAll('role'),
        fields: query.get('fields') ?? '',
      }
    default:
      return anonymousSubject
  }
}

export function idOf(name: CallerName): string {
  return 'user' in name ? name.user : name.apiKey
}

/** Only what names a caller: an address cannot ask for full rights. */
function callerName(text: string): CallerName | undefined {
  const { user, claims, apiKey } = objectIn(text) ?? {}
  if (typeof apiKey === 'string') return { apiKey }
  if (typeof user !== 'string') return undefined
  const given = claims === undefined ? undefined : objectIn(JSON.stringify(claims))
  return given === undefined ? { user } : { user, claims: given }
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Readonly<Record<string, unknown>>) : undefined
  } catch {
    return undefined
  }
}
