import type { CatalogColumn } from '../../../api/answers.ts'

/** What the builder offers. */
export interface BuilderContext {
  readonly columns: Readonly<Record<string, CatalogColumn>>
  /** Fields of callers that are known: for the picker of `$user.<field>`. */
  readonly fields: readonly string[]
}
