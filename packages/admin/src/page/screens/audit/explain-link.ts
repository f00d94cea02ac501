import type { AuditEntry } from '../../api/answers.ts'
import { anonymousSubject, type Subject, subjectQuery } from '../subject/subject.ts'

/** The address of the explanation of an entry's statement, for its caller as far as the audit knows it. */
export function explainLink({ sql, caller, roles, params }: AuditEntry): string {
  const isUser = caller !== null && caller !== 'anonymous' && caller !== 'admin'
  const subject: Subject = isUser
    ? { ...anonymousSubject, kind: 'described', id: caller, roles: roles ?? [] }
    : anonymousSubject
  const shown = params === null || params.length === 0 ? '' : JSON.stringify(params)
  return `/explain?${subjectQuery(subject, sql ?? '', shown)}`
}
