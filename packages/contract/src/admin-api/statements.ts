/** @module Statements that an administrator runs, explains, simulates or previews as a caller of choice. */
import type { DataResponse } from '../data.ts'
import type { CallerKind, Refusal, StatementExplanation } from './explanation.ts'
import type { MatrixEntry } from './permission-matrix.ts'

/** The answer of `POST /data` with `meta` and the method `all` or `run`. */
export interface ResultBody extends DataResponse {
  readonly rows: readonly (readonly unknown[])[]
}

/** A statement that was run as a caller. */
export interface StatementAnswer {
  readonly rowCount: number
  readonly truncated: boolean
  /** Of the methods `all` and `run`; others have `rows` of their own. */
  readonly body: ResultBody
}

/** The caller as which an administrator acts. */
export interface SubjectDescription {
  readonly kind: CallerKind
  /** Of a user. */
  readonly id?: string
  readonly roles: readonly string[]
  /** Fields and roles may depend on claims of a token, and these are not known. */
  readonly mayLackClaims: boolean
}

/** Why a statement answers what it answers to a caller. */
export interface ExplainAnswer extends StatementExplanation {
  readonly subject: SubjectDescription
}

/** What one statement would have answered; it was rolled back. */
export type SimulatedAnswer =
  | (StatementAnswer & {
      readonly outcome: 'answered'
      readonly status: 200
      readonly isWrite: boolean
    })
  | ({ readonly outcome: 'refused' } & Refusal)

/** What permissions that are not saved would change for one caller and one table. */
export interface PreviewAnswer {
  /** Neither authentication nor permissions would be configured. */
  readonly isOpen: boolean
  readonly explanation: StatementExplanation
  readonly rows: SimulatedAnswer
  /** Names of the columns that the caller sees, and of the others. */
  readonly columns: { readonly visible: readonly string[]; readonly hidden: readonly string[] }
  /** Rows that the caller sees, and all of them, counted up to `mostCounted`; null is not known. */
  readonly counts: {
    readonly seen: number | null
    readonly all: number | null
    readonly mostCounted: number
  }
  /** The rights of every role on the table. */
  readonly grants: readonly MatrixEntry[]
  /** Of the statement that was asked for; null without one. */
  readonly write: {
    readonly explanation: StatementExplanation
    readonly simulation: SimulatedAnswer
  } | null
}

/** How a request names a caller: with the fields that an administrator's `as` has. */
export type CallerName =
  | { readonly user: string; readonly claims?: Readonly<Record<string, unknown>> }
  | { readonly apiKey: string }

/** A caller that was found, and the `as` of requests that act as it. */
export interface FoundCaller {
  /** `row`: of the user table, without an account. */
  readonly kind: 'account' | 'row' | 'apiKey'
  readonly as: CallerName
  /** Of the caller; of an API key, that of the key. */
  readonly id: string
  readonly email: string | null
  readonly name: string | null
  /** Why a request of this caller is refused: the account is disabled, the key revoked or expired. */
  readonly isOver: boolean
}

/** An action of the configuration. */
export interface ActionFacts {
  readonly name: string
  readonly roles: readonly string[]
  readonly description: string | null
  /** JSON Schemas; `{}` allows anything. */
  readonly input: Readonly<Record<string, unknown>>
  readonly output: Readonly<Record<string, unknown>> | null
}
