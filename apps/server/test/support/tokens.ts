import { SignJWT } from 'jose'

/** The secret with which test engines verify tokens. */
export const secret = 'a secret of at least thirty-two bytes'

/** `Authorization` of a caller with these claims, valid for a minute. */
export async function bearer(
  claims: Readonly<Record<string, unknown>>,
  key: string = secret,
): Promise<{ readonly authorization: string }> {
  const token = await new SignJWT({ sub: 'ada', ...claims })
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime('1m')
    .sign(new TextEncoder().encode(key))
  return { authorization: `Bearer ${token}` }
}
