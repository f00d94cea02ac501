/** One character (UTF-16 code unit) as a class of a regular expression takes it. */
export function classEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
