/**
 * @module The interface that turns credentials into callers; `@engine/auth` implements it, and an application may implement its
 * own.
 */
import type { Caller, CallerFields } from '../../foundation/caller.ts'

/** The origin of a request. */
export interface ClientInfo {
  /** Address of the socket, or of the last hop that no trusted proxy added; undefined when there is none. */
  readonly ip: string | undefined
  readonly userAgent: string | undefined
  /** Id of the request in the log and the audit. */
  readonly correlationId: string
  /** As in `AuditOrigin`; default `http`. */
  readonly via?: string
}

/** An accepted credential. */
export interface Authenticated {
  readonly caller: Caller
  /** The kind of the credential. */
  readonly credential: 'session' | 'token' | 'apiKey' | 'masterKey' | 'none'
  /** Public id of the session or API key, for the audit; never the credential itself. */
  readonly credentialId: string | undefined
  /** Milliseconds since 1970 at which the credential ends. */
  readonly expiresAtMs: number | undefined
  /**
   * Verifies again that it is valid, for long-lived connections: used where verifying the credential again would be as expensive
   * as the first time (a password). Throws like `AuthProvider.authenticate`.
   */
  readonly renew?: (() => Promise<Authenticated>) | undefined
}

/** The caller that a credential had the last time, while it is found out whether that is still so. */
export interface Expected {
  readonly known: Authenticated
  /**
   * True: `known` is what `authenticate` would return for this request. False: something has changed. Rejects like
   * `AuthProvider.authenticate` when that cannot be found out.
   */
  readonly confirmed: Promise<boolean>
}

/** The owner of a credential that is not at hand. */
export type CredentialOwner =
  | {
      readonly kind: 'user'
      /** Id of the caller: of an account, or the subject of a token that was created elsewhere (`<issuer>|<subject>`). */
      readonly id: string
      /** The claims of a token that was created elsewhere; undefined: an account's session if there is such an account. */
      readonly claims?: CallerFields | undefined
      /** The roles that such a token gave, where its claims are not known. */
      readonly roles?: readonly string[] | undefined
      /** The credential is a session: without such an account it is not valid. */
      readonly hasSession?: boolean | undefined
    }
  | { readonly kind: 'apiKey'; readonly id: string }

/** The caller that a valid credential of an owner has. */
export interface Impersonated {
  readonly caller: Caller
  /** It depends on the claims of a token, and these are not known: fields and roles can be missing. */
  readonly mayLackClaims: boolean
}

/** Turns credentials into callers of /data, /actions and the wire protocol. */
export interface AuthProvider {
  /**
   * A bearer credential: session token, token of an issuer, or API key.
   *
   * @throws {GatewayError} `unauthorized` (401); `permissionDenied` (403) while an e-mail address must be verified; `unavailable`
   *   (503) when it cannot be verified at present.
   */
  authenticate(credential: string, client: ClientInfo): Promise<Authenticated> | Authenticated
  /**
   * For a credential that is known, where it takes time to find out whether it has changed: a read can run meanwhile. Nothing that
   * is done for `known` may have an effect, and no answer may leave, before `confirmed` is true.
   *
   * @returns undefined where `authenticate` must be called.
   */
  expect?(credential: string, client: ClientInfo): Expected | undefined
  /**
   * For administrators: the caller that `authenticate` makes of a valid credential of this owner, by the same steps.
   *
   * @throws {GatewayError} as `authenticate`; `notFound` (404) where no credential can have such an owner.
   */
  impersonate?(owner: CredentialOwner): Promise<Impersonated>
  /** E-mail and password, without creating a session; for the wire protocol. Throws like `authenticate`. */
  authenticatePassword?(email: string, password: string, client: ClientInfo): Promise<Authenticated>
}
