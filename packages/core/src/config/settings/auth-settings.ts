/** @module Checked options of the built-in auth provider. Times are milliseconds. */
import type { EmailConfig, PasswordConfig, ResolveSession } from '../options/auth-config.ts'

/** The checked settings of accounts, sessions and tokens. */
export interface AuthSettings {
  /** The first signs, all verify; empty: generated at start, or a key pair where `jwt.algorithms` excludes HS256. */
  readonly secrets: readonly string[]
  readonly userTable: UserTableSettings | undefined
  readonly emailVerification: boolean
  readonly session: {
    readonly expiresInMs: number
    readonly refreshWindowMs: number
    readonly absoluteMs: number
    readonly maxPerUser: number
    readonly cacheTtlMs: number
  }
  readonly password: {
    readonly minLength: number
    readonly memoryKib: number
    readonly iterations: number
    readonly pepper: string | undefined
    readonly isBreached: PasswordConfig['isBreached']
  }
  readonly signUp: {
    readonly enabled: boolean
    readonly concealExisting: boolean
    readonly allowUtf8Email: boolean
  }
  readonly email: EmailConfig
  readonly urls: {
    readonly reset: string | undefined
    readonly verify: string | undefined
    readonly invite: string | undefined
  }
  /** undefined: switched off. */
  readonly throttle: ThrottleSettings | undefined
  readonly roles: {
    /** Roles of accounts without roles of their own. */
    readonly default: readonly string[]
    /** Path of the claim that holds the roles. */
    readonly claim: readonly string[]
    readonly inToken: boolean
  }
  readonly issuers: readonly IssuerSettings[]
  readonly resolveSession: ResolveSession | undefined
}

/** The table whose row is the user. */
export interface UserTableSettings {
  readonly connection: string
  readonly table: string
  /** undefined: the primary key against `sub`. */
  readonly matchOn: { readonly column: string; readonly jwtField: string } | undefined
  readonly columns: readonly string[]
  readonly passwordColumn: string | undefined
  readonly linkByEmail: boolean
}

/** At most so many attempts in a period. */
export interface Rate {
  readonly limit: number
  readonly periodMs: number
}

/** The rates of attempts at accounts and tokens. */
export interface ThrottleSettings {
  readonly signInPerIp: Rate
  readonly signInFailuresPerAccountAndIp: Rate
  readonly signInFailuresPerAccount: Rate
  readonly signUpPerIp: Rate
  readonly forgotPasswordPerEmail: Rate
  readonly forgotPasswordPerIp: Rate
  readonly tokenFailuresPerIp: Rate
}

/** The checked settings of one issuer of tokens. */
export interface IssuerSettings {
  readonly issuer: string
  /** Empty: any. */
  readonly audiences: readonly string[]
  readonly keys:
    | { readonly from: 'url'; readonly url: string }
    | { readonly from: 'jwks'; readonly keys: readonly Readonly<Record<string, unknown>>[] }
    | { readonly from: 'publicKey'; readonly pem: string }
    | { readonly from: 'secret'; readonly secret: string }
  /** undefined: the algorithms of the keys. */
  readonly algorithms: readonly string[] | undefined
  /** Lower case, without `application/`. */
  readonly tokenTypes: readonly string[]
  readonly rolesClaim: readonly string[]
  /** Roles of tokens without a roles claim. */
  readonly defaultRoles: readonly string[]
  readonly linkByEmail: boolean
}

/** Options of verification that apply to every token. */
export interface JwtSettings {
  readonly algorithms: readonly string[] | undefined
  readonly issuer: string | undefined
  readonly audience: string | undefined
  readonly clockSkewSeconds: number
}
