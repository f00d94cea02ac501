/** Names of what nobody may see; `primaryKey` and the like hold no secret, but may look like one. */
const secretName = /secret|password|passphrase|token|credential|^key$|[a-z]key$/i

/** A configuration without its secrets: fit to be shown. Passwords inside URLs are hidden too. */
export function redacted(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => redacted(item, name))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, redacted(item, key)]),
    )
  }
  if (secretName.test(name) && value !== undefined) return '[redacted]'
  return typeof value === 'string' ? withoutPassword(value) : value
}

/** `postgres://user:secret@host/db?authToken=secret` with both hidden. */
function withoutPassword(text: string): string {
  return text
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^/?#\s:@]*):.*@/i, '$1:[redacted]@')
    .replace(/([?&][^=&#]*(?:token|password|secret|key)[^=&#]*=)[^&#]*/gi, '$1[redacted]')
}
