/**
 * @module Why a statement answers what it answers. It contains names, conditions, SQL and the caller's own values; never a row, and
 * of the configuration only permissions and limits.
 */
import type { ErrorCode } from '../error.ts'
import type { DatabaseKind } from '../schema.ts'

/** What a statement does with a table. */
export type Operation = 'select' | 'insert' | 'update' | 'delete'

/** A value as it is sent to a database: PostgreSQL's text of it, NULL, or a list. */
export type SentValue = string | null | readonly SentValue[]

/** What the engine would do with a caller's statement, and why. */
export interface StatementExplanation {
  /** The answer that the caller would receive. */
  readonly answer: AnswerExplanation
  readonly caller: CallerExplanation
  /** The connection of the statement; undefined when it never became known. */
  readonly connection: { readonly name: string; readonly kind: DatabaseKind } | undefined
  /** One entry for each occurrence of a table in the statement and each operation there, in the order of the statement. */
  readonly tables: readonly TableExplanation[]
  readonly limits: LimitsExplanation
  /** The statements that would be sent to the database, in order; empty if none would be sent. */
  readonly statements: readonly SentStatement[]
}

/** The stage where a statement stops: `values` is the conversion of parameters; `database` is only reached by running it. */
export type Stage = 'parse' | 'bind' | 'limits' | 'authorize' | 'compile' | 'values'

/** What the caller would receive: rows of these columns, or an error. */
export type AnswerExplanation =
  | {
      readonly outcome: 'runs'
      readonly isWrite: boolean
      readonly columns: readonly { readonly name: string; readonly type: string }[]
    }
  | ({ readonly outcome: 'refused'; readonly stage: Stage } & Refusal)

/** An error as clients receive it. */
export interface Refusal {
  readonly status: number
  readonly error: ErrorCode
  /** The message in development. */
  readonly message: string
  /** The message in production. */
  readonly publicMessage: string
  /** In development. */
  readonly details: Readonly<Record<string, unknown>> | undefined
  readonly sqlState: string | undefined
  /** 1-based character position in the statement. */
  readonly position: number | undefined
}

/** Whether a caller is signed in, and how. */
export type CallerKind = 'anonymous' | 'user' | 'admin'

/** Who asks, as far as it matters for a statement. */
export interface CallerExplanation {
  readonly kind: CallerKind
  readonly roles: readonly string[]
  /** Permissions do not apply: the master key, or open mode without permissions. */
  readonly hasFullRights: boolean
  /** The caller fields that permissions on the tables of the statement use. */
  readonly fields: readonly CallerFieldExplanation[]
}

/** A field of the caller, as permissions use it. */
export interface CallerFieldExplanation {
  /** `$user.customer_id` */
  readonly field: string
  /** The type its value is converted to. */
  readonly type: string
  /** `unusable`: the value cannot be converted to that type. Then conditions on it are UNKNOWN, as for a missing value. */
  readonly state: 'present' | 'missing' | 'unusable'
  /** The value as sent to the database; absent where it is not present, or values are redacted. */
  readonly value?: SentValue
}

/** One occurrence of a table in a statement, and the permissions on it. */
export interface TableExplanation {
  /** Number of the table's occurrence in the statement, from 1. */
  readonly reference: number
  /** `<connection>.<table>` */
  readonly table: string
  readonly operation: Operation
  /** Its alias in the sent statements, as far as a dialect keeps it. */
  readonly alias: string | undefined
  readonly isAdmitted: boolean
  /** The reason for a refusal. */
  readonly reason: string | undefined
  /** Every permission on the table, also those of other roles. */
  readonly permissions: readonly PermissionVerdict[]
  /** For `select`: the part of the table that the caller sees. Undefined where it sees nothing. */
  readonly virtualTable: VirtualTableExplanation | undefined
  /** For the other operations, where they are admitted. */
  readonly write: WriteExplanation | undefined
}

/** What one permission says about an operation. */
export interface PermissionVerdict {
  readonly name: string
  readonly roles: readonly string[]
  /**
   * `grants`: alone it would admit the operation. `refuses`: it applies to this caller, but would refuse. `otherRoles`: it does
   * not apply to this caller.
   */
  readonly verdict: 'grants' | 'refuses' | 'otherRoles'
  /** The reason why it does not grant. */
  readonly reason: string | undefined
  /** The permission's own block for the operation, for this caller; absent where it has none or does not apply to the caller. */
  readonly block?: PermissionBlock
  /** It narrows the grants of all other permissions. */
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

/** The part of a table that a caller sees. */
export interface VirtualTableExplanation {
  readonly columns: readonly string[]
  /** Columns that give the same error as missing ones. */
  readonly hidden: readonly string[]
  /** Columns that are NULL wherever the condition is not TRUE. */
  readonly masked: readonly { readonly column: string; readonly visibleWhen: string }[]
  /** The visible rows: a condition, `true` for all, `false` for none. */
  readonly rows: string
  /** Conditions of the statement that are evaluated together with `rows`, so that indexes are used. */
  readonly pushed: readonly string[]
  /** Undefined when the statement was refused before this was decided. */
  readonly barrier: { readonly isSet: boolean; readonly reason: string } | undefined
}

/** What a caller may write to a table. */
export interface WriteExplanation {
  /** The columns that the statement writes. */
  readonly columns: readonly string[]
  /** Columns that Engine sets, with their values. */
  readonly presets: Readonly<Record<string, string>>
  /**
   * UPDATE, DELETE: rows it can touch, in addition to the condition that they are visible. DO UPDATE: existing rows it can
   * change.
   */
  readonly rows: string
  /** What every stored row must satisfy, else 422 and nothing is written. */
  readonly check: string
}

/** The limits that apply to a statement, and what it uses of them. */
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

/** The number that `limits` allows and the statement's own number; undefined where that stage was not reached. */
export interface Measured {
  readonly allowed: number
  readonly measured: number | undefined
}

/** A statement that is sent to the database. */
export interface SentStatement {
  readonly sql: string
  /** The use of its rows. */
  readonly yields: 'result' | 'count' | 'affected' | 'keep' | 'assert' | 'nothing'
  readonly parameters: readonly SentParameter[]
  /** The database's own plan, line by line, if it was requested. */
  readonly plan?: readonly string[]
}

/** A parameter of a statement that is sent to the database. */
export interface SentParameter {
  /** Position among the placeholders of the statement, from 1. */
  readonly index: number
  readonly from: 'request' | 'caller' | 'constant' | 'requestTime' | 'step'
  /** `$2`, `$user.customer_id`, `now - 30d`, `rows of statement 1` */
  readonly source: string
  readonly type: string
  /** Absent where values are redacted, or only known while the statement runs. */
  readonly value?: SentValue
}
