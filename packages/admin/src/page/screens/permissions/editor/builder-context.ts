import type { ColumnDescription } from '@engine/contract'

/** What the builder offers. */
export interface BuilderContext {
  readonly columns: Readonly<Record<string, ColumnDescription>>
  /** Fields of callers that are known: for the picker of `$user.<field>`. */
  readonly fields: readonly string[]
}
