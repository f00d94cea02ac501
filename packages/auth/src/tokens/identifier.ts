/**
 * The text of a claim that identifies a user, the same for a text and a whole number: `"2"`, `2`, `2.0` and `2e0` are
 * `2`. JavaScript reads whole numbers beyond 2^53 as another number, so that these must be texts.
 *
 * @returns undefined for an empty text, one that no database stores, and any other type.
 */
export function identifierOf(value: unknown): string | undefined {
  if (Number.isSafeInteger(value)) return String(value)
  return typeof value === 'string' && value !== '' && isStorable(value) ? value : undefined
}

/** The claim with this name, or at this path, with dots between its parts. Reads own properties only. */
export function claimAt(claims: Readonly<Record<string, unknown>>, field: string): unknown {
  return Object.hasOwn(claims, field) ? claims[field] : ownPath(claims, field.split('.'))
}

/** Reads own properties only: a claim cannot access prototypes. */
export function ownPath(value: unknown, path: readonly string[]): unknown {
  let current = value
  for (const part of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, part)) {
      return undefined
    }
    current = (current as Readonly<Record<string, unknown>>)[part]
  }
  return current
}

/** Every database accepts it as a text: some do not allow U+0000. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}
