import type { Fault } from '../../foundation/faults.ts'
import type { Settings } from '../settings/settings.ts'

/** The fewest bytes of a secret: the hash length of HS256 (RFC 7518, 3.2). */
const leastBytes = 32

/** Lists secrets that are short enough to guess. The engine refuses to start in production with one. */
export function shortSecrets({
  masterKey,
  auth,
}: Pick<Settings, 'masterKey' | 'auth'>): readonly Fault[] {
  const secrets: readonly (readonly [path: string, value: string | undefined])[] = [
    ['masterKey', masterKey],
    ...(auth?.secrets ?? []).map((value, i, { length }) => {
      return [length === 1 ? 'auth.secret' : `auth.secret.${i}`, value] as const
    }),
    ['auth.password.pepper', auth?.password.pepper],
    ...(auth?.issuers ?? []).map(({ keys }, i) => {
      return [`auth.issuers.${i}.secret`, keys.from === 'secret' ? keys.secret : undefined] as const
    }),
  ]
  return secrets
    .filter(([, value]) => value !== undefined && Buffer.byteLength(value) < leastBytes)
    .map(([path]) => ({ path, message: `expects at least ${leastBytes} bytes` }))
}
