import type { AuditEntry } from '@engine/contract/admin-api'
import { anonymousSubject, subjectQuery } from '../subject/subject.ts'

/**
 * The address of the explanation of an entry's statement, for its caller.
 *
 * @returns undefined where no permission decides, as for administrators and the engine itself, or no caller is recorded.
 */
export function explainLink({ id, sql, caller, params, facts }: AuditEntry): string | undefined {
  const isUnrestricted = caller === 'system' || (caller === 'admin' && facts?.['as'] === undefined)
  if (sql === null || caller === null || isUnrestricted) return undefined
  const shown = params === null || params.length === 0 ? '' : JSON.stringify(params)
  return `/explain?${subjectQuery({ ...anonymousSubject, kind: 'entry', entry: id }, sql, shown)}`
}
