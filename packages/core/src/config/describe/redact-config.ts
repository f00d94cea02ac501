/** @module A configuration without secrets, safe to show. */

/** Names of secret options; `primaryKey` and similar names look like one, but hold no secret. */
const secretName = /secret|password|passphrase|token|credential|pepper|^pass$|^key$|[a-z]key$/i

/** Members of a JSON Web Key that are not public; see RFC 7518, 6. */
const privateMember = /^(?:d|k|p|q|dp|dq|qi|oth)$/

const mostDepth = 20

/** Does the option or URL parameter of this name hold a secret? */
export function isSecretName(name: string): boolean {
  return secretName.test(name)
}

/**
 * A configuration without its secrets: safe to show, and valid JSON. Passwords inside URLs are hidden, too; functions are only
 * named.
 */
export function redactConfig(config: unknown): unknown {
  return redacted(config, '', 0)
}

function redacted(value: unknown, name: string, depth: number): unknown {
  if (value === undefined) return undefined
  if (typeof value === 'function') return '[function]'
  // `cors.credentials` is a boolean, despite its name.
  if (isSecretName(name) && typeof value !== 'boolean') return '[redacted]'
  switch (typeof value) {
    case 'string':
      return withoutPassword(value)
    case 'bigint':
    case 'symbol':
      return String(value)
    case 'object':
      return value === null ? null : redactedObject(value, name, depth + 1)
    default:
      return value
  }
}

function redactedObject(value: object, name: string, depth: number): unknown {
  if (depth > mostDepth) return '[too deep]'
  if (Array.isArray(value)) return value.map((item) => redacted(item, name, depth))
  if (value instanceof Uint8Array) return `[${value.byteLength} bytes]`
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && prototype !== Object.prototype) {
    return `[${value.constructor?.name || 'object'}]`
  }
  const isKey = Object.hasOwn(value, 'kty')
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const isPrivate = isKey && privateMember.test(key)
      return [key, isPrivate ? '[redacted]' : redacted(item, key, depth)]
    }),
  )
}

/** `postgres://user:secret@host/db?authToken=secret` with both hidden. */
function withoutPassword(text: string): string {
  return text
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^/?#\s:@]*):.*@/i, '$1:[redacted]@')
    .replace(/([?&][^=&#]*(?:token|password|secret|key)[^=&#]*=)[^&#]*/gi, '$1[redacted]')
}
