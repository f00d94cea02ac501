import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'

/** One exchange of SCRAM-SHA-256 (RFC 7677), the client's side, without channel binding. */
export interface ScramClient {
  readonly first: string
  /** The client's last message, in answer to the server's first. */
  last(serverFirst: string): string
}

export function createScramClient(password: string): ScramClient {
  const nonce = randomBytes(18).toString('base64')
  const bare = `n=*,r=${nonce}`
  return {
    first: `n,,${bare}`,
    last: (serverFirst) => {
      const attributes = new Map(
        serverFirst.split(',').map((part) => [part.charAt(0), part.slice(2)] as const),
      )
      const salt = Buffer.from(attributes.get('s') ?? '', 'base64')
      const salted = pbkdf2Sync(password, salt, Number(attributes.get('i')), 32, 'sha256')
      const clientKey = hmac(salted, 'Client Key')
      const storedKey = createHash('sha256').update(clientKey).digest()
      const withoutProof = `c=biws,r=${attributes.get('r')}`
      const signature = hmac(storedKey, `${bare},${serverFirst},${withoutProof}`)
      const proof = Buffer.from(clientKey.map((byte, index) => byte ^ (signature[index] ?? 0)))
      return `${withoutProof},p=${proof.toString('base64')}`
    },
  }
}

function hmac(key: Buffer, message: string): Buffer {
  return createHmac('sha256', key).update(message).digest()
}
