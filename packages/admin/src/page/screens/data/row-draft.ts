/** @module Edits of a row that are not saved. */
import { isTexts } from '../../drafts/use-draft.ts'
import type { BrowsedTable } from './browsed-table.ts'
import type { Values } from './statement.ts'

/** Texts by column as they were typed; null is NULL. */
export type Typed = Readonly<Record<string, string | null>>

interface RowDraft {
  readonly typed: Typed
  /** Values of the columns when they were first changed. */
  readonly before: Values
}

/** @param row its primary key; `new` for one to be inserted. */
export function formOf({ connection, name }: BrowsedTable, row: unknown): string {
  return `row ${JSON.stringify([connection, name, row])}`
}

export function rowDraftIn(value: unknown): RowDraft | undefined {
  const { typed, before } = value as Partial<RowDraft>
  if (!isTexts<string | null>(typed) || typeof before !== 'object' || before === null) {
    return undefined
  }
  return { typed, before }
}
