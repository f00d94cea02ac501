/** @module Results of looking up a function, an operator or a common type. */
import type { Oid, PgCast, PgFunction, PgOperator } from './pg-type.ts'

/**
 * The reason why nothing was found. `unknown`: no such name here; `noMatch`: not with these argument types; `ambiguous`: several
 * match equally well; `undetermined`: a polymorphic type cannot be deduced; `refused`: PostgreSQL would choose an overload that
 * is not allowed.
 */
export interface ResolutionFailure {
  readonly ok: false
  readonly reason: 'unknown' | 'noMatch' | 'ambiguous' | 'undetermined' | 'refused'
  readonly sqlState: '42883' | '42725' | '42804' | '42846' | '42809' | '42704' | '0A000'
  /** One sentence for the client: `operator does not exist: integer = text`. */
  readonly message: string
}

export interface ResolvedFunction {
  readonly ok: true
  readonly kind: 'function'
  readonly function: PgFunction
  /**
   * `argumentOids[i]`: the type that argument i of the call must be coerced to. Stays `unknown`
   * only for a literal or parameter passed as an `"any"` argument.
   */
  readonly argumentOids: readonly Oid[]
  /** Index of the first argument that is collected into the variadic array. */
  readonly variadicFrom?: number
  /** With named arguments: `parameterOrder[i]` is the parameter that argument i of the call fills. */
  readonly parameterOrder?: readonly number[]
  readonly resultOid: Oid
}

/** `date('2024-01-31')`, `int4(x)`: a call that means a cast. */
export interface ResolvedCastCall {
  readonly ok: true
  readonly kind: 'cast'
  /** The type that the argument is converted to first: `bool(int2)` is cast through int4. */
  readonly sourceOid: Oid
  readonly targetOid: Oid
}

export type FunctionResolution = ResolvedFunction | ResolvedCastCall | ResolutionFailure

export interface FunctionCallOptions {
  /** The call has VARIADIC before its last argument. */
  readonly isVariadicCall?: boolean
  /** Names of the last arguments in `name => value` notation, in the order of the call. */
  readonly argumentNames?: readonly string[]
}

export interface ResolvedOperator {
  readonly ok: true
  readonly operator: PgOperator
  /** Absent for a prefix operator. */
  readonly leftOid?: Oid
  readonly rightOid: Oid
  readonly resultOid: Oid
}

export type OperatorResolution = ResolvedOperator | ResolutionFailure

export interface ResolvedArrayOperator {
  readonly ok: true
  readonly operator: PgOperator
  readonly leftOid: Oid
  /** The array type that the right side must be coerced to. */
  readonly rightArrayOid: Oid
  /** The type of the operator's right operand: the element type. */
  readonly rightOid: Oid
}

/** For `x = any(array)` and `x = all(array)`. */
export type ArrayOperatorResolution = ResolvedArrayOperator | ResolutionFailure

export type CommonTypeContext =
  | 'UNION'
  | 'INTERSECT'
  | 'EXCEPT'
  | 'CASE'
  | 'ARRAY'
  | 'VALUES'
  | 'COALESCE'
  | 'GREATEST'
  | 'LEAST'
  | 'JOIN/USING'
  | 'IN'
  | 'WITHIN GROUP'
  | 'CYCLE'

export type CommonTypeResolution =
  | { readonly ok: true; readonly oid: Oid }
  /** `culprit`: index of the first type that does not match. */
  | (ResolutionFailure & { readonly culprit: number })

/**
 * The conversion of a value from one type to another.
 * - `none`: it already has the type
 * - `relabel`: the same bytes under another name (a domain and its base, varchar and text)
 * - `cast`: by a cast function
 * - `inout`: written as text and read again
 * - `unknownLiteral`: a literal or parameter takes the type and is read by it
 * - `arrayCast`: each element by `element`
 * - `domain`: first by `base`, then the domain's checks
 */
export type Coercion =
  | { readonly kind: 'none' | 'relabel'; readonly isLeakproof: true; readonly canRaise: false }
  | {
      readonly kind: 'cast'
      readonly cast: PgCast
      readonly isLeakproof: boolean
      readonly canRaise: boolean
    }
  | {
      readonly kind: 'inout' | 'unknownLiteral'
      readonly isLeakproof: false
      readonly canRaise: boolean
    }
  | {
      readonly kind: 'arrayCast'
      readonly element: Coercion
      readonly isLeakproof: boolean
      readonly canRaise: boolean
    }
  | {
      readonly kind: 'domain'
      readonly base: Coercion
      readonly isLeakproof: false
      readonly canRaise: true
    }

/** The operators that sort, group and deduplicate a type; the operands may need a relabelling. */
export interface Comparison {
  readonly equal: PgOperator
  /** Absent for an opaque type: it can be grouped, but not sorted. */
  readonly less?: PgOperator
  readonly greater?: PgOperator
}
