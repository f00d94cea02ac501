import { type Fault, type Settings, shortSecrets } from '@engine/core/server'

/** Lists secrets that are missing or too short for production, which does not start then. */
export function productionSecretFaults({
  auth,
  masterKey,
  jwt,
}: Pick<Settings, 'auth' | 'masterKey' | 'jwt'>): readonly Fault[] {
  const tooShort = shortSecrets({ masterKey, auth })
  if (auth === undefined || auth.secrets.length > 0) return tooShort
  const signsWithSecret = jwt.algorithms?.includes('HS256') ?? true
  if (!signsWithSecret && masterKey !== undefined) return tooShort
  const keeping = signsWithSecret ? '' : ', or a masterKey,'
  const message = `a secret of at least 32 bytes${keeping} is needed`
  return [...tooShort, { path: 'auth.secret', message }]
}
