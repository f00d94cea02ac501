import { createHmac, type KeyObject, sign } from 'node:crypto'

/** The signer: a secret (HS256), a private key with its algorithm, or none. */
export type Signing =
  | { readonly secret: string | Uint8Array }
  | { readonly algorithm: 'RS256' | 'ES256' | 'EdDSA'; readonly key: KeyObject }
  | undefined

/** A token with any header and payload, well-formed or not, that no library would create. Texts are used unchanged. */
export function rawToken(
  header: object | string,
  payload: object | string,
  signing: Signing,
): string {
  const signed = `${encoded(header)}.${encoded(payload)}`
  return `${signed}.${signature(signed, signing)}`
}

/** Base64url of JSON, or of a text that should be JSON. */
export function encoded(part: object | string): string {
  return Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')
}

export function signature(signed: string, signing: Signing): string {
  if (signing === undefined) return ''
  if ('secret' in signing) {
    return createHmac('sha256', signing.secret).update(signed).digest('base64url')
  }
  const { algorithm, key } = signing
  const bytes =
    algorithm === 'ES256'
      ? sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
      : sign(algorithm === 'EdDSA' ? null : 'sha256', Buffer.from(signed), key)
  return bytes.toString('base64url')
}
