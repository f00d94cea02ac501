/** @module The edits of one row: texts by column, kept as a draft until they are written or given up. */
import { useState } from 'react'
import { mayHoldSecret, mayHoldSecrets } from '../../drafts/secrets.ts'
import { type FormDraft, useDraft, useKeep } from '../../drafts/use-draft.ts'
import type { BrowsedTable } from './browsed-table.ts'
import { formOf, rowDraftIn, type Typed } from './row-draft.ts'
import { parametersOf, typeOf } from './row-write.tsx'
import { deleteOf, inputText, isExact, type Statement, updateOf, type Values } from './statement.ts'

export interface RowEdits {
  readonly draft: FormDraft<unknown>
  /** The values of the primary key; undefined where this caller sees no key that names the row. */
  readonly key: Values | undefined
  readonly typed: Typed
  /** Names of the columns that were edited. */
  readonly changed: readonly string[]
  /** Edits a column; the text of its value as it was read is no edit. */
  readonly type: (column: string, text: string | null) => void
  readonly reset: () => void
  /** @throws {Error} saying which value is wrong. */
  readonly updateStatement: () => Statement
  readonly deleteStatement: () => Statement
}

export function useRowEdits(
  browsed: BrowsedTable,
  primaryKey: readonly string[],
  values: Values,
): RowEdits {
  const hasKey =
    primaryKey.length > 0 && primaryKey.every((column) => Object.hasOwn(values, column))
  const key = Object.fromEntries(primaryKey.map((column) => [column, values[column]]))
  const draft = useDraft(formOf(browsed, hasKey ? key : values), rowDraftIn)
  const [typed, setTyped] = useState<Typed>(draft.restored?.value.typed ?? {})
  // Edits that were restored began with the values of then: a row that has changed since is not written.
  const [earlier, setEarlier] = useState<Values>(draft.restored?.value.before ?? {})
  const seen = { ...values, ...earlier }
  const changed = Object.keys(typed)
  const before = Object.fromEntries(
    changed
      .filter((column) => isExact(typeOf(browsed, column)) && !primaryKey.includes(column))
      .map((column) => [column, seen[column] ?? null]),
  )
  useKeep(
    draft,
    changed.length === 0 ? undefined : { typed, before },
    !mayHoldSecrets(typed) && !mayHoldSecret(JSON.stringify(before)),
  )
  const from = { connection: browsed.connection, table: browsed.name }
  return {
    draft,
    key: hasKey ? key : undefined,
    typed,
    changed,
    type: (column, text) => {
      const value = values[column]
      const { [column]: _, ...others } = typed
      const isOriginal = text === (value === null ? null : inputText(value))
      setTyped(isOriginal ? others : { ...others, [column]: text })
    },
    reset: () => {
      setTyped({})
      setEarlier({})
    },
    updateStatement: () => updateOf(from, key, before, parametersOf(browsed, typed)),
    deleteStatement: () => deleteOf(from, key),
  }
}
