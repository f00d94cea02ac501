/** @module Replacements of PostgreSQL's regexp_replace, spelled for ICU: `\1` becomes `$1`, `\&` becomes `$0`. */

/** Groups of a pattern that a replacement can name. */
export function countGroups(pattern: string): number {
  const bare = pattern.replaceAll(/\\./gs, '').replaceAll(/\[\^?\]?(?:\[:\w+:\]|[^\]])*\]/g, '')
  return bare.match(/\((?!\?)/g)?.length ?? 0
}

/** @param groups of the pattern: any other is empty in PostgreSQL, and an error in ICU */
export function icuReplacement(replacement: string, groups: number): string {
  return mapReplacement(replacement, quoted, (group) => (group > groups ? '' : `$${group}`))
}

/** The replacement of an empty match: all its groups are empty. */
export function icuLiteral(replacement: string): string {
  return mapReplacement(
    replacement,
    (text) => text,
    () => '',
  )
}

/** A backslash before a character that is no group is one itself. */
function mapReplacement(
  replacement: string,
  literal: (text: string) => string,
  group: (number: number) => string,
): string {
  return replacement.replaceAll(/\\([1-9&\\])|[^\\]|\\/gs, (text, after: string | undefined) => {
    if (after === undefined) return literal(text)
    if (after === '\\') return literal('\\')
    return group(after === '&' ? 0 : Number(after))
  })
}

/** Every character is quoted: `$1` before a digit would be another group. */
function quoted(text: string): string {
  return /[\\$0-9]/.test(text) ? `\\${text}` : text
}
