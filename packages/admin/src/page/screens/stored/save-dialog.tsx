/** @module Saving: what will change, a note, and what to do when somebody else was quicker. */
import type { ChangeResult, ShownChange } from '@engine/contract/admin-api'
import { type ReactNode, useEffect, useState } from 'react'
import type { ApiError } from '../../api/http.ts'
import {
  type PlannedChange,
  sendChange,
  storedQueries,
  undoRevision,
  useReadAgain,
} from '../../api/stored.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field, TextInput } from '../../components/field.tsx'
import { ErrorState, Skeleton } from '../../components/states.tsx'
import { Time } from '../../components/time.tsx'
import { useToasts } from '../../components/toast.tsx'
import { shortText } from '../../components/visible-text.ts'
import { Changes } from './changes.tsx'
import css from './stored.module.css'

/** The details of 409 when the configuration has changed meanwhile. */
interface Overtaken {
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

export interface SaveDialogProps {
  readonly title: string
  readonly change: PlannedChange
  /** The revision that the change was made from. */
  readonly revision: number
  readonly action?: string
  readonly isDanger?: boolean
  readonly onClose: () => void
  /** It is stored; the page is not read again yet. */
  readonly onStored?: () => void
  readonly onSaved: (revision: number) => void
  /** The change is given up: the newest revision is shown instead. */
  readonly onTakeOver: () => void
}

export function SaveDialog({
  title,
  change: given,
  revision,
  action = 'Save',
  isDanger = false,
  onClose,
  onStored,
  onSaved,
  onTakeOver,
}: SaveDialogProps): ReactNode {
  const [note, setNote] = useState('')
  const [{ change, base }, setPlan] = useState({ change: given, base: revision })
  const readAgain = useReadAgain()
  const toasts = useToasts()
  const send = (plan: Plan, more: Readonly<Record<string, string>>, signal: AbortSignal) =>
    sendChange(plan.change, { signal, base: plan.base, more })
  const check = useSubmit<ChangeResult, Plan>({
    send: (plan, signal) => send(plan, { dryRun: 'true' }, signal),
  })
  const undo = async (saved: number) => {
    try {
      const undone = await undoRevision(saved)
      toasts.done('Undone', `Revision ${undone.revision} is in use.`)
    } catch {
      toasts.failed('Not undone', 'Something has changed since: undo it from the revisions.')
    }
    await readAgain()
  }
  const save = useSubmit<ChangeResult>({
    send: (_, signal) => send({ change, base }, { note: note.trim() }, signal),
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
  useEffect(() => check.run({ change, base }), [])
  const error = save.error ?? check.error
  const overtaken = error === null ? undefined : overtakenBy(error)
  const isSavable = check.data !== undefined && check.data.changes.length > 0
  const takeOver = async () => {
    await readAgain()
    onTakeOver()
  }
  const goOn = async (newest: number) => {
    const rebased = await change.rebase?.().catch(() => undefined)
    const plan = { change: rebased?.value ?? change, base: rebased?.revision ?? newest }
    save.reset()
    setPlan(plan)
    check.run(plan)
  }
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title={shortText(title, 200)}
      description={`From revision ${base}. In use for the next request on every node.`}
      onSubmit={() => isSavable && save.run()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look={isDanger ? 'danger' : 'primary'}
            isBusy={save.isPending}
            disabled={!isSavable || overtaken !== undefined}
          >
            {action}
          </Button>
        </>
      }
    >
      {overtaken !== undefined ? (
        <Conflict
          overtaken={overtaken}
          onTakeOver={() => void takeOver()}
          onGoOn={(newest) => void goOn(newest)}
        />
      ) : error !== null ? (
        <Refusal error={error} />
      ) : null}
      {check.isPending && <Skeleton lines={5} />}
      {check.data !== undefined && overtaken === undefined && (
        <>
          <Field label="Note" hint="Why; part of the revision.">
            {(ids) => (
              <TextInput
                {...ids}
                maxLength={2_000}
                value={note}
                onChange={(event) => setNote(event.currentTarget.value)}
              />
            )}
          </Field>
          <Changes changes={check.data.changes} />
        </>
      )}
    </Dialog>
  )
}

function Conflict({
  overtaken: { revision, author, at, note, changes },
  onTakeOver,
  onGoOn,
}: {
  readonly overtaken: Overtaken
  readonly onTakeOver: () => void
  readonly onGoOn: (revision: number) => void
}): ReactNode {
  return (
    <section className={css['conflict']} role="alert" aria-label="Changed meanwhile">
      <h3>Somebody else saved revision {revision} meanwhile</h3>
      <p>
        By {shortText(author, 80)}, <Time at={at} />
        {note === null ? '.' : `: “${shortText(note, 500)}”`}
      </p>
      <Changes changes={changes ?? []} />
      <div className={css['choices']}>
        <Button onClick={onTakeOver}>Take theirs, drop mine</Button>
        <Button onClick={() => onGoOn(revision)}>Go on with mine</Button>
      </div>
    </section>
  )
}

/** Faults with their paths, or another error. */
export function Refusal({
  error,
  title = 'It was not saved',
}: {
  readonly error: ApiError
  readonly title?: string
}): ReactNode {
  const faults = faultsOf(error)
  if (faults.length === 0) return <ErrorState title={title} error={error} />
  return (
    <ul className={css['faults']} role="alert" aria-label="Faults">
      {faults.map(({ path, message }) => (
        <li key={`${path} ${message}`}>
          <p className={css['path']}>{shortText(path, 300)}</p>
          {shortText(message, 1_000)}
        </li>
      ))}
    </ul>
  )
}

interface Fault {
  readonly path: string
  readonly message: string
}

function faultsOf({ details }: Pick<ApiError, 'details'>): readonly Fault[] {
  const faults = (details as { readonly faults?: unknown } | null | undefined)?.faults
  return Array.isArray(faults) ? (faults as Fault[]) : []
}

function overtakenBy({ status, details }: ApiError): Overtaken | undefined {
  const isOvertaken = typeof (details as Overtaken | undefined)?.revision === 'number'
  return status === 409 && isOvertaken ? (details as Overtaken) : undefined
}
