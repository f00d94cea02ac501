import type { SessionResponse, User } from '@engine/contract'

/** The signed-in user and the session. */
export interface SignedIn {
  /** The same for the whole session, whatever its token; made by this client. */
  readonly id: string
  readonly user: User
  readonly token: string
  /** ISO 8601, by the engine's clock. */
  readonly expiresAt: string
  /** When the token arrived, by the local clock: milliseconds since 1970. */
  readonly receivedAtMs: number
  /** How long the token is valid from then on, in milliseconds: independent of differences between clocks. */
  readonly lifeMs: number
}

/** Makes a session from the answer of sign-up or sign-in. */
export function signedInBy(answer: SessionResponse, nowMs: number): SignedIn {
  return { id: Math.random().toString(36).slice(2), ...received(answer, nowMs) }
}

/** The same session after an answer of `GET /auth/session`, which may bring a new token. */
export function renewedBy(before: SignedIn, answer: SessionResponse, nowMs: number): SignedIn {
  if (answer.session.token === before.token) return { ...before, user: answer.user }
  return { id: before.id, ...received(answer, nowMs) }
}

function received({ user, session }: SessionResponse, nowMs: number): Omit<SignedIn, 'id'> {
  const { token, expiresAt } = session
  const lifeMs = Date.parse(expiresAt) - (issuedAtMs(token) ?? nowMs)
  return { user, token, expiresAt, receivedAtMs: nowMs, lifeMs }
}

/**
 * Reads the engine's time from a token that was just made, whatever the local clock says. Nothing else is read
 * from it, and it is not trusted for anything.
 *
 * @returns milliseconds since 1970; undefined where the token does not say.
 */
function issuedAtMs(token: string): number | undefined {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')
    const { iat }: { readonly iat?: unknown } = JSON.parse(atob(payload))
    return typeof iat === 'number' ? iat * 1_000 : undefined
  } catch {
    return undefined
  }
}

/** How long the token is still valid, in milliseconds; 0 where the local clock was turned back. */
export function leftMs({ receivedAtMs, lifeMs }: SignedIn, nowMs: number): number {
  return nowMs < receivedAtMs ? 0 : lifeMs - (nowMs - receivedAtMs)
}

/** Reads a stored session; undefined when it is not valid. */
export function readSignedIn(text: string | undefined): SignedIn | undefined {
  if (text === undefined) return undefined
  try {
    const value: Partial<SignedIn> | null = JSON.parse(text)
    const isWhole =
      typeof value?.id === 'string' &&
      typeof value.token === 'string' &&
      typeof value.expiresAt === 'string' &&
      typeof value.receivedAtMs === 'number' &&
      typeof value.lifeMs === 'number' &&
      typeof value.user?.id === 'string'
    return isWhole ? (value as SignedIn) : undefined
  } catch {
    return undefined
  }
}
