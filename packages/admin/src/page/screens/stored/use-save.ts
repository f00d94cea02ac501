/** @module Saving a change of the stored configuration: checked first, and made again where another change was stored first. */
import type { ChangeResult, ShownChange } from '@engine/contract/admin-api'
import { useEffect, useState } from 'react'
import type { ApiError } from '../../api/http.ts'
import {
  type PlannedChange,
  sendChange,
  storedQueries,
  undoRevision,
  useReadAgain,
} from '../../api/stored.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { useToasts } from '../../components/toast.tsx'

/** The details of 409 when the configuration has changed meanwhile. */
export interface Overtaken {
  readonly revision: number
  readonly author: string
  readonly at: string
  readonly note: string | null
  readonly changes: readonly ShownChange[] | null
}

interface Plan {
  readonly change: PlannedChange
  /** The revision that it starts from. */
  readonly base: number
}

export interface SaveControl {
  /** The revision that the change starts from. */
  readonly base: number
  /** What the change changes; undefined until it is checked. */
  readonly changes: readonly ShownChange[] | undefined
  readonly isChecking: boolean
  readonly isSaving: boolean
  readonly error: ApiError | null
  /** A revision by another author since `base`. */
  readonly overtaken: Overtaken | undefined
  readonly save: (note: string) => void
  /** Reads the newest revision. */
  readonly readAgain: () => Promise<unknown>
  /** Checks the change as one of the revision `newest`. */
  readonly goOn: (newest: number) => Promise<void>
}

export interface SaveOptions {
  readonly change: PlannedChange
  /** The revision that the change was made from. */
  readonly revision: number
  /** It is stored; the page is not read again yet. */
  readonly onStored: (() => void) | undefined
  readonly onSaved: (revision: number) => void
}

export function useSave({ change, revision, onStored, onSaved }: SaveOptions): SaveControl {
  const [plan, setPlan] = useState<Plan>({ change, base: revision })
  const readAgain = useReadAgain()
  const toasts = useToasts()
  const undo = useUndo()
  const send = (given: Plan, more: Readonly<Record<string, string>>, signal: AbortSignal) =>
    sendChange(given.change, { signal, base: given.base, more })
  const check = useSubmit<ChangeResult, Plan>({
    send: (given, signal) => send(given, { dryRun: 'true' }, signal),
  })
  const save = useSubmit<ChangeResult, string>({
    send: (note, signal) => send(plan, { note: note.trim() }, signal),
    changes: storedQueries,
    onDone: async (result) => {
      onStored?.()
      toasts.done('Saved', `Revision ${result.revision} is in use.`, {
        label: 'Undo',
        onPress: () => void undo(result.revision),
      })
      await readAgain()
      onSaved(result.revision)
    },
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => check.run(plan), [])
  const error = save.error ?? check.error
  return {
    base: plan.base,
    changes: check.data?.changes,
    isChecking: check.isPending,
    isSaving: save.isPending,
    error,
    overtaken: error === null ? undefined : overtakenBy(error),
    save: save.run,
    readAgain,
    goOn: async (newest) => {
      const rebased = await plan.change.rebase?.().catch(() => undefined)
      const next = { change: rebased?.value ?? plan.change, base: rebased?.revision ?? newest }
      save.reset()
      setPlan(next)
      check.run(next)
    },
  }
}

/** Takes a revision back, and says so. */
function useUndo(): (saved: number) => Promise<void> {
  const readAgain = useReadAgain()
  const toasts = useToasts()
  return async (saved) => {
    try {
      const undone = await undoRevision(saved)
      toasts.done('Undone', `Revision ${undone.revision} is in use.`)
    } catch {
      toasts.failed('Not undone', 'Something has changed since: undo it from the revisions.')
    }
    await readAgain()
  }
}

function overtakenBy({ status, details }: ApiError): Overtaken | undefined {
  const isOvertaken = typeof (details as Overtaken | undefined)?.revision === 'number'
  return status === 409 && isOvertaken ? (details as Overtaken) : undefined
}
