/**
 * @module What `engine.explain` answers: plain data, fit for JSON. It holds names, conditions, SQL and the asker's own
 * values; never a row, nor anything of the configuration but permissions and limits.
 */
import type { DatabaseKind, ErrorCode } from '@engine/contract'
import type { Operation } from '../../compiler/catalog/operation.ts'
import type { PlanStep } from '../../compiler/plan/plan.ts'
import type { SqlValue } from '../../compiler/sql-types/value-source.ts'
import type { Caller } from '../../foundation/caller.ts'

/** What the engine would do with a statement of a caller, and why. */
export interface StatementExplanation {
  /** What would come back. */
  readonly answer: AnswerExplanation
  readonly caller: CallerExplanation
  /** The connection the statement is for; undefined when it never became known. */
  readonly connection: { readonly name: string; readonly kind: DatabaseKind } | undefined
  /** One entry for each place of a table in the statement and each operation there, in the order of the statement. */
  readonly tables: readonly TableExplanation[]
  readonly limits: LimitsExplanation
  /** What the database would be sent, in order; empty when it would be sent nothing. */
  readonly statements: readonly SentStatement[]
}

/** Where a statement stops: `values` is the conversion of parameters; `database` is only reached by running it. */
export type Stage = 'parse' | 'bind' | 'limits' | 'authorize' | 'compile' | 'values'

export type AnswerExplanation =
  | {
      readonly outcome: 'runs'
      readonly isWrite: boolean
      readonly columns: readonly { readonly name: string; readonly type: string }[]
    }
  | ({ readonly outcome: 'refused'; readonly stage: Stage } & Refusal)

/** An error as clients get it. */
export interface Refusal {
  readonly status: number
  readonly error: ErrorCode
  /** In development. */
  readonly message: string
  /** In production. */
  readonly publicMessage: string
  /** In development. */
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly sqlState: string | undefined
  /** 1-based character position in the statement. */
  readonly position: number | undefined
}

export interface CallerExplanation {
  readonly kind: Caller['kind']
  readonly roles: readonly string[]
  /** Permissions are not asked: the master key, or open mode without permissions. */
  readonly hasFullRights: boolean
  /** What permissions on the tables of the statement ask of this caller. */
  readonly fields: readonly CallerFieldExplanation[]
}

export interface CallerFieldExplanation {
  /** `$user.customer_id` */
  readonly field: string
  /** The type its value is converted to. */
  readonly type: string
  /** `unusable`: there is a value, but none of that type. Conditions on it are UNKNOWN then, as when it is missing. */
  readonly state: 'present' | 'missing' | 'unusable'
  /** As the database gets it; absent where it is not present, or values are redacted. */
  readonly value?: SqlValue
}

export interface TableExplanation {
  /** Counts the places of tables in the statement, from 1. */
  readonly reference: number
  /** `<connection>.<table>` */
  readonly table: string
  readonly operation: Operation
  /** Its name in the statements sent, as far as a dialect keeps it. */
  readonly alias: string | undefined
  readonly isAdmitted: boolean
  /** Why not. */
  readonly reason: string | undefined
  /** Every permission on the table, also those of other roles. */
  readonly permissions: readonly PermissionVerdict[]
  /** For `select`: what the caller sees of the table. Undefined where that is nothing. */
  readonly virtualTable: VirtualTableExplanation | undefined
  /** For the other operations, where they are admitted. */
  readonly write: WriteExplanation | undefined
}

export interface PermissionVerdict {
  readonly name: string
  readonly roles: readonly string[]
  /**
   * `grants`: alone it would admit the operation. `refuses`: it is for this caller, but would not. `otherRoles`: it is not
   * for this caller.
   */
  readonly verdict: 'grants' | 'refuses' | 'otherRoles'
  /** Why it does not grant. */
  readonly reason: string | undefined
  /** The permission's own block for the operation, for this caller; absent where it has none or is not for the caller. */
  readonly block?: PermissionBlock
  /** It narrows whatever the others grant. */
  readonly restrict?: string
}

/** Conditions are texts: `true` for every row, `false` or `unknown` for none. */
export interface PermissionBlock {
  readonly columns?: readonly string[]
  readonly where?: string
  readonly check?: string
  /** Column and value. */
  readonly presets?: Readonly<Record<string, string>>
  readonly limit?: number
  readonly aggregate?: boolean
}

export interface VirtualTableExplanation {
  readonly columns: readonly string[]
  /** Columns that answer as if they did not exist. */
  readonly hidden: readonly string[]
  /** Columns that are NULL wherever the condition is not TRUE. */
  readonly masked: readonly { readonly column: string; readonly visibleWhen: string }[]
  /** The rows that exist: a condition, `true` for all, `false` for none. */
  readonly rows: string
  /** Conditions of the statement that are evaluated with `rows`, so that indexes serve them. */
  readonly pushed: readonly string[]
  /** Undefined when the statement was refused before that was decided. */
  readonly barrier: { readonly isSet: boolean; readonly reason: string } | undefined
}

export interface WriteExplanation {
  /** The columns that the statement writes. */
  readonly columns: readonly string[]
  /** Columns that Engine sets, and to what. */
  readonly presets: Readonly<Record<string, string>>
  /** UPDATE, DELETE: rows it can touch, besides being visible. DO UPDATE: existing rows it can change. */
  readonly rows: string
  /** What every stored row must satisfy, else 422 and nothing is written. */
  readonly check: string
}

export interface LimitsExplanation {
  /** `limits.maxRows`. */
  readonly maxRows: number
  /** The smallest `select.limit` of the tables that are read. */
  readonly permissionLimit: number | undefined
  readonly queryTimeoutMs: number
  readonly relationDepth: Measured
  readonly filterNesting: Measured
  readonly filterConditions: Measured
}

/** What `limits` allows and what the statement has; undefined where that was not reached. */
export interface Measured {
  readonly allowed: number
  readonly measured: number | undefined
}

export interface SentStatement {
  readonly sql: string
  /** What is done with its rows. */
  readonly yields: PlanStep['yields']
  readonly parameters: readonly SentParameter[]
  /** The database's own plan, line by line, where it was asked for. */
  readonly plan?: readonly string[]
}

export interface SentParameter {
  /** Position among the placeholders of the statement, from 1. */
  readonly index: number
  readonly from: 'request' | 'caller' | 'constant' | 'requestTime' | 'step'
  /** `$2`, `$user.customer_id`, `now - 30d`, `rows of statement 1` */
  readonly source: string
  readonly type: string
  /** Absent where values are redacted, or are not known before the statement runs. */
  readonly value?: SqlValue
}
