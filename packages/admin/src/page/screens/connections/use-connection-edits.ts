/** @module The edits of one connection: kept as a draft until they are saved or given up, and tested as they are. */
import type { ConnectionTestAnswer } from '@engine/contract/admin-api'
import { useState } from 'react'
import { request } from '../../api/http.ts'
import { type Submit, useSubmit } from '../../api/use-submit.ts'
import { type FormDraft, useDraft, useKeep } from '../../drafts/use-draft.ts'
import {
  type ConnectionForm,
  type ConnectionValue,
  connectionDraftIn,
  connectionOf,
  formOf,
  mayHoldPassword,
} from './connection.ts'

export interface ConnectionEdits {
  readonly form: ConnectionForm
  /** As it was typed. */
  readonly ownName: string
  /** The revision that the edits began with. */
  readonly base: number | undefined
  /** Why the form is no connection. */
  readonly fault: string | undefined
  readonly test: Submit<ConnectionTestAnswer, ConnectionValue>
  readonly draft: FormDraft<unknown>
  readonly change: (next: Partial<ConnectionForm>) => void
  readonly rename: (name: string) => void
  /** Calls `use` with the connection that the form describes, or shows why it is none. */
  readonly withConnection: (use: (connection: ConnectionValue) => void) => void
  /** The form as it was opened. */
  readonly reset: () => void
}

export interface EditedConnection {
  /** undefined: a new one. */
  readonly name: string | undefined
  readonly value: ConnectionValue | undefined
  /** The newest one that was read. */
  readonly revision: number | undefined
  readonly isChangeable: boolean
}

export function useConnectionEdits({
  name,
  value,
  revision,
  isChangeable,
}: EditedConnection): ConnectionEdits {
  const draft = useDraft(`connection ${name ?? ''}`, connectionDraftIn)
  // The revision that the form began with: the newest one is read again while it is open.
  const [base, setBase] = useState(draft.restored?.value.revision ?? revision)
  const [first] = useState(() => formOf(value))
  const [form, setForm] = useState(draft.restored?.value.form ?? first)
  const [ownName, setOwnName] = useState(draft.restored?.value.ownName ?? name ?? '')
  const [fault, setFault] = useState<string>()
  const isEdited = ownName !== (name ?? '') || JSON.stringify(form) !== JSON.stringify(first)
  useKeep(
    draft,
    isChangeable && isEdited ? { form, ownName, revision: base } : undefined,
    !mayHoldPassword(form),
  )
  const test = useSubmit<ConnectionTestAnswer, ConnectionValue>({
    send: (connection, signal) =>
      request('POST /config/connections/:name/test', {
        params: { name: ownName.trim() },
        body: { connection },
        signal,
      }),
  })
  return {
    form,
    ownName,
    base,
    fault,
    test,
    draft,
    change: (next) => {
      setForm({ ...form, ...next })
      setFault(undefined)
      test.reset()
    },
    rename: (next) => {
      setOwnName(next)
      setFault(undefined)
    },
    withConnection: (use) => {
      try {
        if (ownName.trim() === '') throw new Error('Give the connection a name.')
        use(connectionOf(form))
      } catch (error) {
        setFault(error instanceof Error ? error.message : String(error))
      }
    },
    reset: () => {
      setForm(first)
      setOwnName(name ?? '')
      setBase(revision)
    },
  }
}
