import { Trash2 } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { ApiError, request } from '../../api/http.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorState } from '../../components/states.tsx'
import { useToasts } from '../../components/toast.tsx'
import { shortText } from '../../components/visible-text.ts'
import { Restored } from '../../drafts/restored.tsx'
import { mayHoldSecret, mayHoldSecrets } from '../../drafts/secrets.ts'
import { useDraft, useKeep } from '../../drafts/use-draft.ts'
import { subjectBody, subjectText } from '../subject/subject.ts'
import type { BrowsedTable } from './browsed-table.ts'
import css from './data.module.css'
import { formOf, rowDraftIn, type Typed } from './row-draft.ts'
import {
  deleteOf,
  inputText,
  insertOf,
  isExact,
  type Statement,
  statementText,
  typedValue,
  updateOf,
  type Values,
} from './statement.ts'
import { ValueField } from './value-field.tsx'
import { faultOf } from './write-fault.ts'

interface DrawerProps extends BrowsedTable {
  readonly onClose: (isChanged: boolean) => void
}

export function RowDrawer({
  primaryKey,
  values,
  ...props
}: DrawerProps & {
  readonly primaryKey: readonly string[]
  readonly values: Values
}): ReactNode {
  const { connection, name, table, onClose } = props
  const hasKey =
    primaryKey.length > 0 && primaryKey.every((column) => Object.hasOwn(values, column))
  const key = Object.fromEntries(primaryKey.map((column) => [column, values[column]]))
  const draft = useDraft(formOf(props, hasKey ? key : values), rowDraftIn)
  const [typed, setTyped] = useState<Typed>(draft.restored?.value.typed ?? {})
  const [isDeleting, setDeleting] = useState(false)
  const isEditable = hasKey && table.kind !== 'view'
  // Edits that were restored began with the values of then: a row that has changed since is not written.
  const [earlier, setEarlier] = useState<Values>(draft.restored?.value.before ?? {})
  const seen = { ...values, ...earlier }
  const changed = Object.keys(typed)
  const before = Object.fromEntries(
    changed
      .filter((column) => isExact(typeOf(props, column)) && !primaryKey.includes(column))
      .map((column) => [column, seen[column] ?? null]),
  )
  useKeep(
    draft,
    changed.length === 0 ? undefined : { typed, before },
    !mayHoldSecrets(typed) && !mayHoldSecret(JSON.stringify(before)),
  )
  const from = { connection, table: name }
  const statement: Outcome = isDeleting
    ? { kind: 'statement', statement: deleteOf(from, key) }
    : changed.length === 0
      ? { kind: 'nothing' }
      : built(() => updateOf(from, key, before, parametersOf(props, typed)))
  const title = isDeleting ? 'The row was deleted' : 'The row was changed'
  const write = useWrite(props, title, draft.drop)
  const cancel = () => {
    draft.drop()
    onClose(false)
  }
  const fault = isDeleting ? undefined : faultOf(write.error, changed)
  return (
    <Dialog
      isOpen
      isWide
      keepsEdits
      place="drawer"
      onClose={() => onClose(false)}
      title={
        hasKey ? shortText(`${name} ${Object.values(key).map(inputText).join(', ')}`, 60) : 'Row'
      }
      description={
        isEditable
          ? shortText(`A row of ${connection}.${name}, as ${subjectText(props.subject)}.`)
          : 'It can only be looked at: this caller sees no primary key that names the row.'
      }
      onSubmit={() => statement.kind === 'statement' && write.run(statement.statement)}
      footer={
        isEditable && (
          <>
            {!isDeleting && (
              <Button
                look="ghost"
                icon={<Trash2 aria-hidden />}
                onClick={() => {
                  write.reset()
                  setDeleting(true)
                }}
              >
                Delete
              </Button>
            )}
            <Button onClick={() => (isDeleting ? setDeleting(false) : cancel())}>Cancel</Button>
            <Button
              type="submit"
              look={isDeleting ? 'danger' : 'primary'}
              isBusy={write.isPending}
              disabled={statement.kind !== 'statement'}
            >
              {isDeleting ? 'Delete row' : 'Save'}
            </Button>
          </>
        )
      }
    >
      <Restored
        draft={draft}
        onDiscard={() => {
          setTyped({})
          setEarlier({})
        }}
      />
      {write.error !== null && fault === undefined && (
        <ErrorState title="Nothing was written" error={write.error} />
      )}
      {!isDeleting && (
        <div className={css['fields']}>
          {Object.entries(values).map(([column, value]) => (
            <ValueField
              key={column}
              name={column}
              type={typeOf(props, column)}
              isNullable={table.columns[column]?.nullable ?? true}
              isReadOnly={!isEditable || isGenerated(props, column)}
              value={
                Object.hasOwn(typed, column)
                  ? (typed[column] ?? null)
                  : value === null
                    ? null
                    : inputText(value)
              }
              isChanged={Object.hasOwn(typed, column)}
              error={fault?.column === column ? fault.message : undefined}
              onValue={(text) => {
                const original = value === null ? null : inputText(value)
                const { [column]: _, ...others } = typed
                setTyped(text === original ? others : { ...others, [column]: text })
              }}
            />
          ))}
        </div>
      )}
      <Preview outcome={statement} />
    </Dialog>
  )
}

export function InsertDrawer(props: DrawerProps): ReactNode {
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
      <Preview outcome={statement} />
    </Dialog>
  )
}

type Outcome =
  | { readonly kind: 'statement'; readonly statement: Statement }
  | { readonly kind: 'wrong'; readonly message: string }
  | { readonly kind: 'nothing' }

function built(build: () => Statement): Outcome {
  try {
    return { kind: 'statement', statement: build() }
  } catch (error) {
    return { kind: 'wrong', message: (error as Error).message }
  }
}

function Preview({ outcome }: { readonly outcome: Outcome }): ReactNode {
  // It covers the end of the drawer: the value that is being typed stays in view.
  useEffect(() => {
    if (outcome.kind === 'statement') document.activeElement?.scrollIntoView({ block: 'nearest' })
  }, [outcome.kind])
  if (outcome.kind === 'nothing') {
    return <p className={css['quiet']}>Change a value to see the statement that writes it.</p>
  }
  if (outcome.kind === 'wrong') return <ErrorState title="Not yet" error={outcome} />
  return (
    <div className={css['preview']}>
      <h3>Statement</h3>
      <CodeBlock label="the statement" language="sql" text={statementText(outcome.statement)} />
    </div>
  )
}

function useWrite({ subject, onClose }: DrawerProps, title: string, onWritten: () => void) {
  const { done } = useToasts()
  return useSubmit<void, Statement>({
    changes: ['data'],
    send: async (statement, signal) => {
      const body = { ...statement, method: 'run', ...subjectBody(subject) }
      const { rowCount } = await request('POST /query', { body, signal })
      if (rowCount > 0) return
      throw new ApiError(0, {
        error: 'NO_ROW',
        message:
          'No row was written: it has changed or gone since it was read, or this caller may not write it.',
      })
    },
    onDone: () => {
      onWritten()
      done(title)
      onClose(true)
    },
  })
}

function parametersOf(props: BrowsedTable, typed: Typed): Values {
  return Object.fromEntries(
    Object.entries(typed).map(([column, text]) => [
      column,
      text === null ? null : typedValue(text, typeOf(props, column)),
    ]),
  )
}

function typeOf({ table }: Pick<BrowsedTable, 'table'>, column: string): string {
  return table.columns[column]?.type ?? 'text'
}

function isGenerated({ table }: Pick<BrowsedTable, 'table'>, column: string): boolean {
  const { generated = 'no' } = table.natives?.[column] ?? {}
  return generated !== 'no'
}
