/** @module Saving: what will change, a note, and what to do when somebody else was quicker. */
import { type ReactNode, useState } from 'react'
import type { ApiError } from '../../api/http.ts'
import type { PlannedChange } from '../../api/stored.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field, TextInput } from '../../components/field.tsx'
import { ErrorState, Skeleton } from '../../components/states.tsx'
import { Time } from '../../components/time.tsx'
import { shortText } from '../../components/visible-text.ts'
import { Changes } from './changes.tsx'
import css from './stored.module.css'
import { type Overtaken, type SaveControl, useSave } from './use-save.ts'

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
  change,
  revision,
  action = 'Save',
  isDanger = false,
  onClose,
  onStored,
  onSaved,
  onTakeOver,
}: SaveDialogProps): ReactNode {
  const [note, setNote] = useState('')
  const saving = useSave({ change, revision, onStored, onSaved })
  const { changes, overtaken } = saving
  const isSavable = changes !== undefined && changes.length > 0
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title={shortText(title, 200)}
      description={`From revision ${saving.base}. In use for the next request on every node.`}
      onSubmit={() => isSavable && saving.save(note)}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look={isDanger ? 'danger' : 'primary'}
            isBusy={saving.isSaving}
            disabled={!isSavable || overtaken !== undefined}
          >
            {action}
          </Button>
        </>
      }
    >
      <Fault saving={saving} onTakeOver={onTakeOver} />
      {saving.isChecking && <Skeleton lines={5} />}
      {changes !== undefined && overtaken === undefined && (
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
          <Changes changes={changes} />
        </>
      )}
    </Dialog>
  )
}

/** Why it is not saved, and what can be done about it. */
function Fault({
  saving: { error, overtaken, readAgain, goOn },
  onTakeOver,
}: {
  readonly saving: SaveControl
  readonly onTakeOver: () => void
}): ReactNode {
  if (error === null) return null
  if (overtaken === undefined) return <Refusal error={error} />
  const takeOver = async () => {
    await readAgain()
    onTakeOver()
  }
  return (
    <Conflict
      overtaken={overtaken}
      onTakeOver={() => void takeOver()}
      onGoOn={(newest) => void goOn(newest)}
    />
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
