/** An account, as its owner sees it. */
export interface User {
  readonly id: string
  readonly email: string
  /** Empty when none was given. */
  readonly name: string
  readonly emailVerified: boolean
  /** ISO 8601, UTC. */
  readonly createdAt: string
}

/** A token and its end. */
export interface Session {
  /** JWT, to be sent as `Authorization: Bearer <token>`. */
  readonly token: string
  /** ISO 8601, UTC. */
  readonly expiresAt: string
}

/** Answer of sign-up and sign-in; of `GET /auth/session` where the token is of an account. */
export interface SessionResponse {
  readonly user: User
  readonly session: Session
}

/** The caller that a token names. Without an account, `email` and `name` are there where the token has them. */
export type TokenUser = Pick<User, 'id' | 'emailVerified'> & Partial<User>

/** Answer of `GET /auth/session`. */
export interface CurrentSessionResponse {
  readonly user: TokenUser
  readonly session: Session
}

/** Answer of everything that has nothing to give back. */
export interface SuccessResponse {
  readonly success: true
  /** For people; absent where the specification has none. */
  readonly message?: string
}

/** One session of the caller, in `GET /auth/sessions`. */
export interface SessionDescription {
  /** Names it in `DELETE /auth/sessions/{id}`; no credential. */
  readonly id: string
  readonly current: boolean
  /** ISO 8601, UTC, as the others. */
  readonly createdAt: string
  readonly lastSeenAt: string
  readonly expiresAt: string
  readonly ip: string | null
  readonly userAgent: string | null
}

/** Answer of `GET /auth/sessions`. */
export interface SessionsResponse {
  readonly sessions: readonly SessionDescription[]
}

/** Answer of `POST /auth/invitation`. */
export interface InvitationResponse {
  readonly invitation: {
    /** The address that the account will have. */
    readonly email: string
    /** Empty when none was given. */
    readonly name: string
    /** ISO 8601, UTC. */
    readonly expiresAt: string
  }
}
