/** @module A statement that is typed in "Query" or "Explain": kept as a draft until it is run. */
import { useState } from 'react'
import { type FormDraft, useDraft, useKeep } from '../../drafts/use-draft.ts'
import { mayBeStored } from './history.ts'
import { type StatementDraft, statementIn } from './statement-draft.ts'

export interface TypedStatement extends StatementDraft {
  readonly draft: FormDraft<unknown>
  readonly setSql: (sql: string) => void
  readonly setParams: (params: string) => void
  readonly set: (statement: StatementDraft) => void
  /** The statement of the address again. */
  readonly reset: () => void
}

/**
 * @param form names the page and its address.
 * @param isKept whether the page keeps a statement elsewhere: then it is no draft.
 */
export function useStatement(
  form: string,
  start: StatementDraft,
  isKept: (statement: StatementDraft) => boolean = () => false,
): TypedStatement {
  const draft = useDraft(form, statementIn)
  const [sql, setSql] = useState(draft.restored?.value.sql ?? start.sql)
  const [params, setParams] = useState(draft.restored?.value.params ?? start.params)
  const isEdited = !isKept({ sql, params }) && (sql !== start.sql || params !== start.params)
  useKeep(draft, isEdited ? { sql, params } : undefined, mayBeStored({ sql, params }))
  const set = (statement: StatementDraft) => {
    setSql(statement.sql)
    setParams(statement.params)
  }
  return { sql, params, draft, setSql, setParams, set, reset: () => set(start) }
}
