/** @module How callers are known: accounts, sessions, tokens of others. As a user writes it. */
import type { CallerFields } from '../foundation/caller.ts'

/** The options of the built-in auth provider. Durations are texts such as `'24h'`. */
export interface AuthConfig {
  /**
   * HS256 secret, or several: the first signs, all verify (rotation). Production needs at least 32 bytes. Without one,
   * outside production, one is made at start: sessions then end with the process.
   */
  readonly secret?: string | readonly string[]
  /** Where users have their profile; without it, in the service database. */
  readonly userTable?: UserTableConfig
  /** Sign-in and /data need a verified e-mail address. Default false. */
  readonly emailVerification?: boolean
  readonly session?: SessionConfig
  readonly password?: PasswordConfig
  readonly signUp?: SignUpConfig
  readonly email?: EmailConfig
  /** Pages that links in e-mails open; the link ends in `#token=` and the token. */
  readonly urls?: { readonly reset?: string; readonly verify?: string }
  /** False switches the throttles of the auth routes off; numbers replace theirs. */
  readonly throttle?: false | ThrottleConfig
  readonly roles?: {
    /** Roles of accounts that have none of their own; never of tokens made elsewhere. Default `['user']`. */
    readonly default?: readonly string[]
    /** Claim that holds the roles (default `roles`; `role`, a text, is united with it). Dots walk into objects. */
    readonly claim?: string
    /** Puts the roles of an account into its tokens, for downstream services. The engine never reads them back. Default false. */
    readonly inToken?: boolean
  }
  /** Others whose tokens are accepted. */
  readonly issuers?: readonly IssuerConfig[]
  /** Adds fields and roles to a caller, from anywhere; `db` is a Kysely instance with system rights. */
  readonly resolveSession?: ResolveSession
}

/** Argument and result of `resolveSession`. When it throws, the caller is refused (401). */
export type ResolveSession = (
  user: ResolvedUser,
  // biome-ignore lint/suspicious/noExplicitAny: tables are those of the user's connections
  db: any,
) => Promise<ResolvedSession | undefined> | ResolvedSession | undefined

/** The user of a token, as `resolveSession` receives it. */
export interface ResolvedUser {
  readonly id: string
  readonly roles: readonly string[]
  readonly fields: CallerFields
}

/** Fields are added to those known; `roles` and `role` replace the roles. */
export interface ResolvedSession {
  readonly roles?: readonly string[]
  readonly role?: string
  readonly [field: string]: unknown
}

export interface UserTableConfig {
  /** `<connection>.<table>`. */
  readonly table: string
  /** Which row is the caller's; default `{ column: <primary key>, jwtField: 'sub' }`. */
  readonly matchOn?: { readonly column: string; readonly jwtField: string }
  /** Columns that `$user.<column>` may read. Default: the matched column alone. */
  readonly columns?: readonly string[]
  /** Column with password hashes of an existing table; otherwise they are in the service database. */
  readonly passwordColumn?: string
}

export interface SessionConfig {
  /** Default `24h`. */
  readonly expiresIn?: string
  /** `GET /auth/session` gives a new token when the old one has less than this left. Default `12h`. */
  readonly refreshWindow?: string
  /** From sign-in; refreshing never passes it. Default `30d`. */
  readonly absolute?: string
  /** Another name of `absolute`. */
  readonly maxAge?: string
  /** Sessions of one user at a time; the oldest ends. Default 100. */
  readonly maxPerUser?: number
  /** A session that was found is not looked up again for so long, 5s at most. Default `0s`: every request looks. */
  readonly cacheTtl?: string
}

export interface PasswordConfig {
  /** Unicode code points, 8 (default) or more. */
  readonly minLength?: number
  /** Argon2id: KiB of memory (19456 or more), passes (2 or more). */
  readonly memoryKib?: number
  readonly iterations?: number
  /** Key outside the database that hashes are keyed with; at least 32 bytes in production. */
  readonly pepper?: string
  /** True when the password is known from a breach. A failure of it is logged and lets the password pass. */
  readonly isBreached?: (password: string) => Promise<boolean> | boolean
}

export interface SignUpConfig {
  /** False: accounts are made by an administrator. Default true. */
  readonly enabled?: boolean
  /** Sign-up with a known address gets the same answer as with a new one; its owner gets an e-mail. Needs `emailVerification`. */
  readonly concealExisting?: boolean
  /** Addresses may have other letters than ASCII before the @. Default false. */
  readonly allowUtf8Email?: boolean
}

/** How the service sends e-mails. */
export interface EmailConfig {
  /** `smtp://user:password@host:587`, or nodemailer's SMTP options. Without it: an outbox for development. */
  readonly smtp?: string | Readonly<Record<string, unknown>>
  /** `Shop <no-reply@example.com>` */
  readonly from?: string
  /** Name of the product in e-mails. Default `Engine`. */
  readonly productName?: string
  /** Instead of the built-in ones. */
  readonly templates?: Readonly<Partial<Record<MailKind, MailTemplate>>>
}

/** The e-mails that the service sends. */
export type MailKind = 'verifyEmail' | 'resetPassword' | 'passwordChanged' | 'accountExists'

/** Makes an e-mail of what is known; HTML must be escaped by the template. */
export type MailTemplate = (facts: MailFacts) => {
  readonly subject: string
  readonly text: string
  readonly html?: string
}

/** What a template can put into an e-mail. */
export interface MailFacts {
  readonly productName: string
  /** As the user gave it; may be empty. */
  readonly name: string
  readonly email: string
  /** The page with the token in its fragment; undefined where no `urls` are configured. */
  readonly link: string | undefined
  /** undefined in mails without one. */
  readonly token: string | undefined
  /** The token's, ISO 8601. */
  readonly expiresAt: string | undefined
}

/** `[tries, 'period']`: so many in a period. */
export type ThrottleRate = readonly [number, string]

/** See facts in the package's README for the defaults. */
export interface ThrottleConfig {
  readonly signInPerIp?: ThrottleRate
  readonly signInFailuresPerAccountAndIp?: ThrottleRate
  readonly signInFailuresPerAccount?: ThrottleRate
  readonly signUpPerIp?: ThrottleRate
  readonly forgotPasswordPerEmail?: ThrottleRate
  readonly forgotPasswordPerIp?: ThrottleRate
  readonly tokenFailuresPerIp?: ThrottleRate
}

/** Somebody whose tokens are accepted: exactly one of `jwksUri`, `jwks`, `publicKey`, `secret`. */
export interface IssuerConfig {
  /** The `iss` of its tokens. */
  readonly issuer: string
  readonly audience?: string | readonly string[]
  readonly jwksUri?: string
  readonly jwks?: { readonly keys: readonly Readonly<Record<string, unknown>>[] }
  /** PEM, SPKI. */
  readonly publicKey?: string
  readonly secret?: string
  /** Needed with `publicKey`; with keys of a set: those of them that are accepted. */
  readonly algorithms?: readonly string[]
  /** `typ` of its tokens; default `['JWT']`. Access tokens of RFC 9068 are `at+jwt`. A token without one is a `JWT`. */
  readonly tokenTypes?: readonly string[]
  readonly roles?: {
    /** Claim that holds the roles (default `roles`; `role`, a text, is united with it). */
    readonly claim?: string
    /** Roles of tokens that say nothing about roles. Default: none. */
    readonly default?: readonly string[]
  }
  /**
   * A caller is the account with the same e-mail address, where the issuer asserts `email_verified` and the account has
   * verified it too. Default false.
   */
  readonly linkByEmail?: boolean
}
