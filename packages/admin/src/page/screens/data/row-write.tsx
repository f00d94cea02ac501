/** @module Writing one row: its statement, shown before it is sent. */
import { type ReactNode, useEffect } from 'react'
import { ApiError, request } from '../../api/http.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { CodeBlock } from '../../components/code.tsx'
import { ErrorState } from '../../components/states.tsx'
import { useToasts } from '../../components/toast.tsx'
import { subjectBody } from '../subject/subject.ts'
import type { BrowsedTable } from './browsed-table.ts'
import css from './data.module.css'
import type { Typed } from './row-draft.ts'
import { type Statement, statementText, typedValue, type Values } from './statement.ts'

export interface RowDrawerProps extends BrowsedTable {
  readonly onClose: (isChanged: boolean) => void
}

/** The statement that writes what was typed, or why there is none. */
export type Outcome =
  | { readonly kind: 'statement'; readonly statement: Statement }
  | { readonly kind: 'wrong'; readonly message: string }
  | { readonly kind: 'nothing' }

export function built(build: () => Statement): Outcome {
  try {
    return { kind: 'statement', statement: build() }
  } catch (error) {
    return { kind: 'wrong', message: (error as Error).message }
  }
}

/** The statement before it is sent. */
export function StatementPreview({ outcome }: { readonly outcome: Outcome }): ReactNode {
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

/** Sends a statement that writes one row. */
export function useWrite(
  { subject, onClose }: RowDrawerProps,
  title: string,
  onWritten: () => void,
) {
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

export function parametersOf(props: BrowsedTable, typed: Typed): Values {
  return Object.fromEntries(
    Object.entries(typed).map(([column, text]) => [
      column,
      text === null ? null : typedValue(text, typeOf(props, column)),
    ]),
  )
}

export function typeOf({ table }: Pick<BrowsedTable, 'table'>, column: string): string {
  return table.columns[column]?.type ?? 'text'
}

export function isGenerated({ table }: Pick<BrowsedTable, 'table'>, column: string): boolean {
  const { generated = 'no' } = table.natives?.[column] ?? {}
  return generated !== 'no'
}
