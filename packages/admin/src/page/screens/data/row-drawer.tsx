/** @module One row: looked at, edited value by value, deleted. */
import { Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorState } from '../../components/states.tsx'
import { shortText } from '../../components/visible-text.ts'
import { Restored } from '../../drafts/restored.tsx'
import { subjectText } from '../subject/subject.ts'
import css from './data.module.css'
import {
  built,
  isGenerated,
  type Outcome,
  type RowDrawerProps,
  StatementPreview,
  typeOf,
  useWrite,
} from './row-write.tsx'
import { inputText, type Values } from './statement.ts'
import { type RowEdits, useRowEdits } from './use-row-edits.ts'
import { ValueField } from './value-field.tsx'
import { faultOf } from './write-fault.ts'

export function RowDrawer({
  primaryKey,
  values,
  ...props
}: RowDrawerProps & {
  readonly primaryKey: readonly string[]
  readonly values: Values
}): ReactNode {
  const { connection, name, table, onClose } = props
  const edits = useRowEdits(props, primaryKey, values)
  const { draft, key } = edits
  const [isDeleting, setDeleting] = useState(false)
  const isEditable = key !== undefined && table.kind !== 'view'
  const outcome = outcomeOf(edits, isDeleting)
  const title = isDeleting ? 'The row was deleted' : 'The row was changed'
  const write = useWrite(props, title, draft.drop)
  const cancel = () => {
    draft.drop()
    onClose(false)
  }
  const fault = isDeleting ? undefined : faultOf(write.error, edits.changed)
  return (
    <Dialog
      isOpen
      isWide
      keepsEdits
      place="drawer"
      onClose={() => onClose(false)}
      title={
        key === undefined
          ? 'Row'
          : shortText(`${name} ${Object.values(key).map(inputText).join(', ')}`, 60)
      }
      description={
        isEditable
          ? shortText(`A row of ${connection}.${name}, as ${subjectText(props.subject)}.`)
          : 'It can only be looked at: this caller sees no primary key that names the row.'
      }
      onSubmit={() => outcome.kind === 'statement' && write.run(outcome.statement)}
      footer={
        isEditable && (
          <RowButtons
            isDeleting={isDeleting}
            isBusy={write.isPending}
            isReady={outcome.kind === 'statement'}
            onDelete={() => {
              write.reset()
              setDeleting(true)
            }}
            onCancel={() => (isDeleting ? setDeleting(false) : cancel())}
          />
        )
      }
    >
      <Restored draft={draft} onDiscard={edits.reset} />
      {write.error !== null && fault === undefined && (
        <ErrorState title="Nothing was written" error={write.error} />
      )}
      {!isDeleting && (
        <RowFields {...props} values={values} edits={edits} isEditable={isEditable} fault={fault} />
      )}
      <StatementPreview outcome={outcome} />
    </Dialog>
  )
}

function outcomeOf(
  { changed, updateStatement, deleteStatement }: RowEdits,
  isDeleting: boolean,
): Outcome {
  if (isDeleting) return { kind: 'statement', statement: deleteStatement() }
  return changed.length === 0 ? { kind: 'nothing' } : built(updateStatement)
}

function RowButtons({
  isDeleting,
  isBusy,
  isReady,
  onDelete,
  onCancel,
}: {
  readonly isDeleting: boolean
  readonly isBusy: boolean
  /** There is a statement to send. */
  readonly isReady: boolean
  readonly onDelete: () => void
  readonly onCancel: () => void
}): ReactNode {
  return (
    <>
      {!isDeleting && (
        <Button look="ghost" icon={<Trash2 aria-hidden />} onClick={onDelete}>
          Delete
        </Button>
      )}
      <Button onClick={onCancel}>Cancel</Button>
      <Button
        type="submit"
        look={isDeleting ? 'danger' : 'primary'}
        isBusy={isBusy}
        disabled={!isReady}
      >
        {isDeleting ? 'Delete row' : 'Save'}
      </Button>
    </>
  )
}

function RowFields({
  values,
  edits: { typed, type },
  isEditable,
  fault,
  ...props
}: RowDrawerProps & {
  readonly values: Values
  readonly edits: RowEdits
  readonly isEditable: boolean
  readonly fault: ReturnType<typeof faultOf>
}): ReactNode {
  return (
    <div className={css['fields']}>
      {Object.entries(values).map(([column, value]) => {
        const isTyped = Object.hasOwn(typed, column)
        const original = value === null ? null : inputText(value)
        return (
          <ValueField
            key={column}
            name={column}
            type={typeOf(props, column)}
            isNullable={props.table.columns[column]?.nullable ?? true}
            isReadOnly={!isEditable || isGenerated(props, column)}
            value={isTyped ? (typed[column] ?? null) : original}
            isChanged={isTyped}
            error={fault?.column === column ? fault.message : undefined}
            onValue={(text) => type(column, text)}
          />
        )
      })}
    </div>
  )
}
