/** @module One connection: its settings, a live test, saving and removing. */
import { PlugZap, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type PlannedChange, useSource } from '../../api/stored.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { shortText } from '../../components/visible-text.ts'
import { Restored } from '../../drafts/restored.tsx'
import { Refusal, SaveDialog } from '../stored/save-dialog.tsx'
import type { ConnectionValue } from './connection.ts'
import { ConnectionFields } from './connection-fields.tsx'
import css from './connections.module.css'
import { RemoveConnection } from './remove-connection.tsx'
import { TestResult } from './test-result.tsx'
import { type ConnectionEdits, useConnectionEdits } from './use-connection-edits.ts'

export interface ConnectionDrawerProps {
  /** undefined: a new one. */
  readonly name: string | undefined
  readonly value: ConnectionValue | undefined
  readonly revision: number | undefined
  readonly onClose: () => void
  readonly onTakeOver: () => void
}

/** What the drawer shows: the form, the question before a removal, or the review of a change. */
type Step =
  | { readonly kind: 'form' }
  | { readonly kind: 'removing' }
  | {
      readonly kind: 'saving' | 'removal'
      readonly title: string
      readonly change: PlannedChange
    }

export function ConnectionDrawer(props: ConnectionDrawerProps): ReactNode {
  const { name, revision, onClose, onTakeOver } = props
  const isChangeable = useSource() === 'stored' && revision !== undefined
  const edits = useConnectionEdits({ ...props, isChangeable })
  const [step, setStep] = useState<Step>({ kind: 'form' })
  const { base, draft, ownName } = edits
  if ((step.kind === 'saving' || step.kind === 'removal') && base !== undefined) {
    const isRemoval = step.kind === 'removal'
    return (
      <SaveDialog
        title={step.title}
        change={step.change}
        revision={base}
        action={isRemoval ? 'Remove' : 'Save'}
        isDanger={isRemoval}
        onClose={() => setStep({ kind: isRemoval ? 'removing' : 'form' })}
        onStored={draft.drop}
        onSaved={onClose}
        onTakeOver={() => {
          draft.drop()
          onTakeOver()
        }}
      />
    )
  }
  if (step.kind === 'removing' && name !== undefined) {
    return (
      <RemoveConnection
        name={name}
        onClose={() => setStep({ kind: 'form' })}
        onRemove={(change) =>
          setStep({ kind: 'removal', title: `Remove ${shortText(name, 60)}`, change })
        }
      />
    )
  }
  const save = () =>
    edits.withConnection((body) => {
      const change: PlannedChange = {
        route: 'PUT /config/connections/:name',
        params: { name: ownName.trim() },
        body,
      }
      setStep({ kind: 'saving', title: `Save ${shortText(ownName, 60)}`, change })
    })
  return (
    <FormDialog
      name={name}
      edits={edits}
      isChangeable={isChangeable}
      onClose={onClose}
      onSave={save}
      onRemove={() => setStep({ kind: 'removing' })}
    />
  )
}

interface FormDialogProps {
  readonly name: string | undefined
  readonly edits: ConnectionEdits
  readonly isChangeable: boolean
  readonly onClose: () => void
  readonly onSave: () => void
  readonly onRemove: () => void
}

function FormDialog(props: FormDialogProps): ReactNode {
  const { name, edits, isChangeable, onClose, onSave } = props
  const { test, fault } = edits
  const source = useSource()
  return (
    <Dialog
      isOpen
      keepsEdits
      onClose={onClose}
      place="drawer"
      title={name === undefined ? 'Add a connection' : <bdi>{shortText(name, 80)}</bdi>}
      description={
        isChangeable
          ? 'Test it, then save: the change holds for the next request on every node.'
          : source === 'code'
            ? 'Defined in code: change it there.'
            : 'Read-only.'
      }
      {...(isChangeable ? { onSubmit: onSave, footer: <FormButtons {...props} /> } : {})}
    >
      <Restored draft={edits.draft} onDiscard={edits.reset} />
      <ConnectionFields edits={edits} isNew={name === undefined} isChangeable={isChangeable} />
      {fault !== undefined && (
        <p role="alert" className={css['fault']}>
          {fault}
        </p>
      )}
      {test.error !== null && <Refusal title="It was not tested" error={test.error} />}
      {test.data !== undefined && <TestResult test={test.data} />}
    </Dialog>
  )
}

function FormButtons({
  name,
  edits: { test, withConnection },
  onRemove,
}: Pick<FormDialogProps, 'name' | 'edits' | 'onRemove'>): ReactNode {
  return (
    <>
      {name !== undefined && (
        <Button className={css['remove']} icon={<Trash2 aria-hidden />} onClick={onRemove}>
          Remove…
        </Button>
      )}
      <Button
        icon={<PlugZap aria-hidden />}
        isBusy={test.isPending}
        onClick={() => withConnection((connection) => test.run(connection))}
      >
        Test
      </Button>
      <Button type="submit" look="primary">
        Save…
      </Button>
    </>
  )
}
