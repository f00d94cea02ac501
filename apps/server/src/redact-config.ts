const secretKeys = /^(masterKey|secret|password|token|key)$/i

/** A configuration without its secrets: fit to be shown. Passwords inside URLs are hidden too. */
export function redacted(value: unknown, key = ''): unknown {
  if (typeof value === 'string') {
    return secretKeys.test(key) ? '[redacted]' : withoutPassword(value)
  }
  if (Array.isArray(value)) return value.map((item) => redacted(item))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, redacted(item, name)]),
    )
  }
  return value
}

/** `postgres://user:secret@host/db?authToken=secret` with both hidden. */
function withoutPassword(text: string): string {
  return text
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^/?#\s:@]*):.*@/i, '$1:[redacted]@')
    .replace(/([?&][^=&#]*(?:token|password|secret|key)[^=&#]*=)[^&#]*/gi, '$1[redacted]')
}
