/** @module As whom a statement runs: the `as` or `token` of `/admin/api`. */
import { shortText } from '../../components/visible-text.ts'

export interface Subject {
  readonly kind: 'anonymous' | 'described' | 'token' | 'admin'
  readonly id: string
  readonly roles: readonly string[]
  /** JSON: the fields that `$user.<field>` reads. */
  readonly fields: string
  readonly token: string
}

export const anonymousSubject: Subject = {
  kind: 'anonymous',
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
    case 'described': {
      const { id, roles } = subject
      return { as: { ...(id === '' ? {} : { id }), roles, fields: parseFields(subject.fields) } }
    }
  }
}

function parseFields(text: string): object {
  if (text.trim() === '') return {}
  try {
    const fields: unknown = JSON.parse(text)
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields)) return fields
  } catch {
    // The message below says it better.
  }
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
export function subjectText({ kind, id, roles }: Subject): string {
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
  const subject: Subject =
    query.get('as') === 'described'
      ? {
          ...anonymousSubject,
          kind: 'described',
          id: query.get('id') ?? '',
          roles: query.getAll('role'),
          fields: query.get('fields') ?? '',
        }
      : anonymousSubject
  return { subject, sql: query.get('sql') ?? '', params: query.get('params') ?? '' }
}
