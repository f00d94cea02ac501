/** @module A statement after Parse: types of its parameters and columns are known. */
import type { SessionStatement, StatementDescription } from '@engine/core/session'
import type { CatalogDescription } from '../../catalog/wire-catalog.ts'
import type { FieldDescription } from '../../protocol/message-writer.ts'
import type { ReadParameters } from '../results/bound-parameters.ts'
import type { ClientStatement, SessionCommand } from '../statements/client-statement.ts'

/** A statement whose parameters can be bound. */
export type Prepared = {
  readonly statement: ClientStatement
  /** In the client's numbering of types. */
  readonly parameterOids: readonly number[]
} & (
  | { readonly kind: 'empty' }
  | PreparedQuery
  | { readonly kind: 'catalog'; readonly description: CatalogDescription }
  | {
      readonly kind: 'command'
      readonly command: SessionCommand
      /** The query of DECLARE CURSOR: its parameters are those of the command. */
      readonly query: Prepared | undefined
    }
)

/** A statement of the engine. */
export interface PreparedQuery {
  readonly kind: 'query'
  readonly request: SessionStatement
  /** See `ClientSession.catalogState`: the description is that of this state. */
  readonly state: object
  readonly description: StatementDescription
  /** What the client knows of the statement: its answers must have these columns. */
  readonly described: StatementDescription
  readonly fields: readonly FieldDescription[]
  readonly readParameters: ReadParameters
}
