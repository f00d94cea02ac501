/** @module Who turns credentials into callers; `@engine/auth` makes one, an application may bring its own. */
import type { Caller } from '../foundation/caller.ts'

/** Where a request came from. */
export interface ClientInfo {
  /** Of the socket, or of the last hop that no trusted proxy added; undefined when there is none. */
  readonly ip: string | undefined
  readonly userAgent: string | undefined
  /** Id under which the request is logged and audited. */
  readonly correlationId: string
  /** As in `AuditOrigin`; default `http`. */
  readonly via?: 'http' | 'pgwire'
}

/** A credential that was accepted. */
export interface Authenticated {
  readonly caller: Caller
  /** What was shown. */
  readonly credential: 'session' | 'token' | 'apiKey' | 'masterKey' | 'none'
  /** Public id of the session or API key, for the audit; never the credential itself. */
  readonly credentialId: string | undefined
  /** Milliseconds since 1970 at which the credential ends. */
  readonly expiresAtMs: number | undefined
  /**
   * Finds out whether it still holds, for connections that stay: where showing the credential again would cost as much as
   * the first time (a password). Throws like `AuthProvider.authenticate`.
   */
  readonly renew?: (() => Promise<Authenticated>) | undefined
}

/** Turns credentials into callers of /data, /actions and the wire protocol. */
export interface AuthProvider {
  /**
   * A bearer credential: session token, token of an issuer, or API key.
   *
   * @throws {GatewayError} `unauthorized` (401); `permissionDenied` (403) while an e-mail address must be verified;
   * `unavailable` (503) when it cannot be found out.
   */
  authenticate(credential: string, client: ClientInfo): Promise<Authenticated> | Authenticated
  /** E-mail and password, without making a session; for the wire protocol. Throws like `authenticate`. */
  authenticatePassword?(email: string, password: string, client: ClientInfo): Promise<Authenticated>
}
