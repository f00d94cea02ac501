/** @module How callers are authenticated: accounts, sessions, tokens of other issuers. As a user writes it. */
import type { CallerFields } from '../../foundation/caller.ts'

/** The options of the built-in auth provider. Durations are texts such as `'24h'`. */
export interface AuthConfig {
  /**
   * HS256 secret, or several: the first signs, all verify (rotation). Production needs at least 32 bytes. Outside production one
   * is generated at start if it is absent: then sessions end with the process.
   */
  readonly secret?: string | readonly string[]
  /** The table with the users' profiles; without it, they are in the service database. */
  readonly userTable?: UserTableConfig
  /** Sign-in and /data need a verified e-mail address. Default false. */
  readonly emailVerification?: boolean
  readonly session?: SessionConfig
  readonly password?: PasswordConfig
  readonly signUp?: SignUpConfig
  readonly email?: EmailConfig
  /** Pages that links in e-mails open; the link ends in `#token=` followed by the token. */
  readonly urls?: { readonly reset?: string; readonly verify?: string; readonly invite?: string }
  /** False switches off the throttles of the auth routes; numbers replace the defaults. */
  readonly throttle?: false | ThrottleConfig
  readonly roles?: {
    /** Roles of accounts without roles of their own; never applied to tokens of other issuers. Default `['user']`. */
    readonly default?: readonly string[]
    /** Claim that holds the roles (default `roles`; `role`, a text, is added to it). Dots walk into objects. */
    readonly claim?: string
    /** Puts the roles of an account into its tokens, for downstream services. The engine never reads them back. Default false. */
    readonly inToken?: boolean
  }
  /** Other issuers whose tokens are accepted. */
  readonly issuers?: readonly IssuerConfig[]
  /** Adds fields and roles to a caller, from any source; `db` is a Kysely instance with system rights. */
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

/** Fields are added to those already known; `roles` and `role` replace the roles. */
export interface ResolvedSession {
  readonly roles?: readonly string[]
  readonly role?: string
  readonly [field: string]: unknown
}

export interface UserTableConfig {
  /** `<connection>.<table>`. */
  readonly table: string
  /** Finds the caller's row; default `{ column: <primary key>, jwtField: 'sub' }`. */
  readonly matchOn?: { readonly column: string; readonly jwtField: string }
  /** Columns that `$user.<column>` may read. Default: the matched column alone. */
  readonly columns?: readonly string[]
  /** Column with password hashes of an existing table; otherwise they are in the service database. */
  readonly passwordColumn?: string
  /**
   * Sign-up with the address of a row without an account sends its owner a mail that sets a password: the account is that
   * of the row. Default false: such an address is taken. Needs `emailVerification`.
   */
  readonly linkByEmail?: boolean
}

export interface SessionConfig {
  /** Default `24h`. */
  readonly expiresIn?: string
  /** `GET /auth/session` returns a new token when the old one has less than this time left. Default `12h`. */
  readonly refreshWindow?: string
  /** Time from sign-in; refreshing never extends it. Default `30d`. */
  readonly absolute?: string
  /** Another name of `absolute`. */
  readonly maxAge?: string
  /** Sessions of one user at a time; the oldest ends. Default 100. */
  readonly maxPerUser?: number
  /** A session that was found is cached for this time, at most 5s. Default `0s`: every request reads the database. */
  readonly cacheTtl?: string
}

export interface PasswordConfig {
  /** Unicode code points, 8 (default) or more. */
  readonly minLength?: number
  /** Argon2id: KiB of memory (19456 or more), passes (2 or more). */
  readonly memoryKib?: number
  readonly iterations?: number
  /** A key outside the database that password hashes depend on; at least 32 bytes in production. */
  readonly pepper?: string
  /** True when the password occurs in a known breach. If the function fails, this is logged and the password is accepted. */
  readonly isBreached?: (password: string) => Promise<boolean> | boolean
}

export interface SignUpConfig {
  /** False: only administrators create accounts. Default true. */
  readonly enabled?: boolean
  /**
   * No route tells a known address from a new one: a sign-up is answered alike and without a session, sign-in before the address is
   * verified is `INVALID_CREDENTIALS`; the owner of the address gets an e-mail. Needs `emailVerification`.
   */
  readonly concealExisting?: boolean
  /** Allows letters other than ASCII before the @ in addresses. Default false. */
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
  /**
   * Development only: shows the mails at `/auth/mailbox` to browsers of this machine, without a credential. Refused in
   * production, and beside `smtp`. Default false.
   */
  readonly mailbox?: boolean
  /** Templates that replace the built-in ones. */
  readonly templates?: Readonly<Partial<Record<MailKind, MailTemplate>>>
}

/** The e-mails that the service sends. */
export type MailKind =
  | 'verifyEmail'
  | 'resetPassword'
  | 'passwordChanged'
  | 'accountExists'
  | 'invitation'

/** Makes an e-mail from the facts; the template must escape HTML. */
export type MailTemplate = (facts: MailFacts) => {
  readonly subject: string
  readonly text: string
  readonly html?: string
}

/** The data that a template can use in an e-mail. */
export interface MailFacts {
  readonly productName: string
  /** As the user gave it; may be empty. */
  readonly name: string
  readonly email: string
  /** The page with the token in its fragment; undefined where no `urls` are configured. */
  readonly link: string | undefined
  /** undefined in e-mails without one. */
  readonly token: string | undefined
  /** Expiry of the token, ISO 8601. */
  readonly expiresAt: string | undefined
}

/** `[tries, 'period']`: this number of tries in a period. */
export type ThrottleRate = readonly [number, string]

/** The defaults are in the package's README. */
export interface ThrottleConfig {
  readonly signInPerIp?: ThrottleRate
  readonly signInFailuresPerAccountAndIp?: ThrottleRate
  readonly signInFailuresPerAccount?: ThrottleRate
  readonly signUpPerIp?: ThrottleRate
  readonly forgotPasswordPerEmail?: ThrottleRate
  readonly forgotPasswordPerIp?: ThrottleRate
  readonly tokenFailuresPerIp?: ThrottleRate
}

/** An issuer whose tokens are accepted: exactly one of `jwksUri`, `jwks`, `publicKey`, `secret`. */
export interface IssuerConfig {
  /** The `iss` of its tokens. */
  readonly issuer: string
  readonly audience?: string | readonly string[]
  readonly jwksUri?: string
  readonly jwks?: { readonly keys: readonly Readonly<Record<string, unknown>>[] }
  /** PEM, SPKI. */
  readonly publicKey?: string
  readonly secret?: string
  /** Needed with `publicKey`; with a key set: the accepted algorithms among those of its keys. */
  readonly algorithms?: readonly string[]
  /** `typ` of its tokens; default `['JWT']`. Access tokens of RFC 9068 are `at+jwt`. A token without one is a `JWT`. */
  readonly tokenTypes?: readonly string[]
  readonly roles?: {
    /** Claim that holds the roles (default `roles`; `role`, a text, is added to it). */
    readonly claim?: string
    /** Roles of tokens without a roles claim. Default: none. */
    readonly default?: readonly string[]
  }
  /**
   * Maps a caller to the account with the same e-mail address, if the issuer asserts `email_verified` and the account has
   * verified it, too. Default false.
   */
  readonly linkByEmail?: boolean
}
