import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts secrets at rest: an attacker who reads or changes the database learns nothing and forges nothing. */
export interface SecretBox {
  /** AES-256-GCM. @returns `v1.<key id>.<nonce, tag and ciphertext in base64url>`. */
  seal(text: string): string
  /** @returns undefined when it was sealed with another key or for another purpose, or was changed. */
  open(sealed: string): string | undefined
}

interface BoxKey {
  readonly id: string
  readonly key: Buffer
}

const nonceBytes = 12
const tagBytes = 16

/**
 * Derives one key from each secret by HKDF-SHA-256. The first key seals, all keys open, so that a secret can be
 * replaced.
 *
 * @param secrets at least one; see `boxSecrets`.
 * @param purpose the kind of content; boxes of different purposes cannot open each other's.
 */
export function createSecretBox(secrets: readonly string[], purpose: string): SecretBox {
  const keys = secrets.map((secret) => deriveKey(secret, purpose))
  const [sealing] = keys
  if (sealing === undefined) throw new Error('a secret box needs a secret')
  const byId = new Map(keys.map((key) => [key.id, key]))
  return {
    seal: (text) => seal(text, sealing),
    open: (sealed) => {
      const [version, id = '', body = '', ...rest] = sealed.split('.')
      const key = byId.get(id)
      if (version !== 'v1' || key === undefined || rest.length > 0) return undefined
      return open(Buffer.from(body, 'base64url'), key)
    },
  }
}

/**
 * The secrets that boxes derive their keys from: the master key, then the token secrets; without any, which only
 * development allows, a secret of this process.
 */
export function boxSecrets(
  masterKey: string | undefined,
  tokenSecrets: readonly string[],
): readonly string[] {
  const known = masterKey === undefined ? tokenSecrets : [masterKey, ...tokenSecrets]
  return known.length > 0 ? known : [randomBytes(32).toString('base64url')]
}

function deriveKey(secret: string, purpose: string): BoxKey {
  const key = Buffer.from(hkdfSync('sha256', secret, 'engine secret box v1', purpose, 32))
  return { id: createHash('sha256').update(key).digest('hex').slice(0, 8), key }
}

function seal(text: string, { id, key }: BoxKey): string {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return `v1.${id}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
}

function open(sealed: Buffer, { key }: BoxKey): string | undefined {
  if (sealed.length < nonceBytes + tagBytes) return undefined
  const nonce = sealed.subarray(0, nonceBytes)
  const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes)
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
  decipher.setAuthTag(tag)
  const start = decipher.update(sealed.subarray(nonceBytes + tagBytes))
  try {
    return Buffer.concat([start, decipher.final()]).toString('utf8')
  } catch {
    // The tag does not match: Node throws.
    return undefined
  }
}
