/** @module The input of one action, kept as a draft, and its runs. */
import type { ActionFacts } from '@engine/contract/admin-api'
import { useState } from 'react'
import { request } from '../../api/http.ts'
import { type Submit, useSubmit } from '../../api/use-submit.ts'
import { mayHoldSecrets } from '../../drafts/secrets.ts'
import { type FormDraft, isTexts, useDraft, useKeep } from '../../drafts/use-draft.ts'
import { type Subject, subjectBody } from '../subject/subject.ts'
import { type FormField, fieldsOf, inputOf, parsed } from './form-fields.ts'

interface ActionInput {
  /** Texts by field. */
  readonly typed: Readonly<Record<string, string>>
  /** The whole input as JSON, where it has no fields. */
  readonly whole: string
}

export interface ActionOutcome {
  readonly output: unknown
  readonly elapsedMs: number
}

export interface ActionRun extends ActionInput {
  /** undefined: the input is written as JSON. */
  readonly fields: readonly FormField[] | undefined
  readonly draft: FormDraft<unknown>
  readonly type: (field: string, text: string) => void
  readonly setWhole: (text: string) => void
  readonly reset: () => void
  readonly run: Submit<ActionOutcome, void>
}

export function useActionRun({ name, input: schema }: ActionFacts, subject: Subject): ActionRun {
  const fields = fieldsOf(schema)
  const draft = useDraft(`action ${name}`, inputIn)
  const [typed, setTyped] = useState(draft.restored?.value.typed ?? {})
  const [whole, setWhole] = useState(draft.restored?.value.whole ?? '')
  const isEdited = whole !== '' || Object.values(typed).some((text) => text !== '')
  useKeep(draft, isEdited ? { typed, whole } : undefined, !mayHoldSecrets({ ...typed, '': whole }))
  const run = useSubmit<ActionOutcome>({
    changes: ['data'],
    send: async (_, signal) => {
      const input = fields === undefined ? wholeInput(whole) : inputOf(fields, typed)
      const startMs = performance.now()
      const { output } = await request('POST /actions/:name', {
        params: { name },
        signal,
        body: { ...(input === undefined ? {} : { input }), ...subjectBody(subject) },
      })
      return { output, elapsedMs: performance.now() - startMs }
    },
  })
  return {
    fields,
    typed,
    whole,
    draft,
    type: (field, text) => setTyped({ ...typed, [field]: text }),
    setWhole,
    reset: () => {
      setTyped({})
      setWhole('')
    },
    run,
  }
}

function wholeInput(text: string): unknown {
  return text.trim() === '' ? undefined : parsed(text, 'The input')
}

function inputIn(value: unknown): ActionInput | undefined {
  const { typed, whole } = value as Partial<ActionInput>
  return isTexts(typed) && typeof whole === 'string' ? { typed, whole } : undefined
}
