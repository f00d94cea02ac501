import type { SessionResponse, User } from '@engine/contract'

/** Who is signed in, and with what. */
export interface SignedIn {
  /** The same as long as the session is, whatever its token; made here. */
  readonly id: string
  readonly user: User
  readonly token: string
  /** ISO 8601, by the engine's clock. */
  readonly expiresAt: string
  /** When the token came, by the clock here: milliseconds since 1970. */
  readonly receivedAtMs: number
  /** How long it is good from then on, in milliseconds: what is the same for clocks that differ. */
  readonly lifeMs: number
}

/** What an answer of sign-up or sign-in makes. */
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
 * A token that was just made says what time it is at the engine, however wrong the clock here is. Nothing else is read
 * from it, and nothing is trusted for it.
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

/** How long the token is still good, in milliseconds; 0 where the clock here was turned back. */
export function leftMs({ receivedAtMs, lifeMs }: SignedIn, nowMs: number): number {
  return nowMs < receivedAtMs ? 0 : lifeMs - (nowMs - receivedAtMs)
}

/** What was kept; undefined when that is nothing to go by. */
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
