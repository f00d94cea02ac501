/** @module A new row, typed column by column. */
import { type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorState } from '../../components/states.tsx'
import { shortText } from '../../components/visible-text.ts'
import { Restored } from '../../drafts/restored.tsx'
import { mayHoldSecrets } from '../../drafts/secrets.ts'
import { useDraft, useKeep } from '../../drafts/use-draft.ts'
import { subjectText } from '../subject/subject.ts'
import css from './data.module.css'
import { formOf, rowDraftIn, type Typed } from './row-draft.ts'
import {
  built,
  isGenerated,
  parametersOf,
  type RowDrawerProps,
  StatementPreview,
  useWrite,
} from './row-write.tsx'
import { insertOf } from './statement.ts'
import { ValueField } from './value-field.tsx'
import { faultOf } from './write-fault.ts'

export function InsertDrawer(props: RowDrawerProps): ReactNode {
  const { connection, name, table, onClose } = props
  const draft = useDraft(formOf(props, 'new'), rowDraftIn)
  const [typed, setTyped] = useState<Typed>(draft.restored?.value.typed ?? {})
  const isTyped = Object.keys(typed).length > 0
  useKeep(draft, isTyped ? { typed, before: {} } : undefined, !mayHoldSecrets(typed))
  const statement = built(() => insertOf({ connection, table: name }, parametersOf(props, typed)))
  const write = useWrite(props, 'The row was inserted', draft.drop)
  const cancel = () => {
    draft.drop()
    onClose(false)
  }
  const fault = faultOf(write.error, Object.keys(typed))
  return (
    <Dialog
      isOpen
      isWide
      keepsEdits
      place="drawer"
      onClose={() => onClose(false)}
      title="New row"
      description={shortText(
        `In ${connection}.${name}, as ${subjectText(props.subject)}. Columns that are left alone get their default.`,
      )}
      onSubmit={() => statement.kind === 'statement' && write.run(statement.statement)}
      footer={
        <>
          <Button onClick={cancel}>Cancel</Button>
          <Button
            type="submit"
            look="primary"
            isBusy={write.isPending}
            disabled={statement.kind !== 'statement'}
          >
            Insert
          </Button>
        </>
      }
    >
      <Restored draft={draft} onDiscard={() => setTyped({})} />
      {write.error !== null && fault === undefined && (
        <ErrorState title="Nothing was written" error={write.error} />
      )}
      <div className={css['fields']}>
        {Object.entries(table.columns)
          .filter(([column]) => !isGenerated(props, column))
          .map(([column, { type, nullable, hasDefault }]) => (
            <ValueField
              key={column}
              name={column}
              type={type}
              isNullable={nullable}
              isReadOnly={false}
              value={typed[column]}
              isChanged={Object.hasOwn(typed, column)}
              unset={hasDefault ? 'default' : nullable ? 'NULL' : 'required'}
              error={fault?.column === column ? fault.message : undefined}
              onValue={(text) => setTyped({ ...typed, [column]: text })}
              onUnset={() => {
                const { [column]: _, ...others } = typed
                setTyped(others)
              }}
            />
          ))}
      </div>
      <StatementPreview outcome={statement} />
    </Dialog>
  )
}
