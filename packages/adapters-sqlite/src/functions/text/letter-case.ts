/** @module Upper and lower case, character by character, as PostgreSQL does with C.UTF-8. */

/** One character becomes one character: `ß` stays. */
export function upperCase(text: string): string {
  return mapEach(text, (character) => character.toUpperCase())
}

/** One character becomes one character: `İ` becomes `i`, a final `Σ` becomes `σ`. */
export function lowerCase(text: string): string {
  return mapEach(text, (character) => (character === 'İ' ? 'i' : character.toLowerCase()))
}

function mapEach(text: string, map: (character: string) => string): string {
  if (isAscii(text)) return map(text)
  return Array.from(text, (character) => {
    const mapped = map(character)
    return Array.from(mapped).length === 1 ? mapped : character
  }).join('')
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false
  return true
}
