/** @module Names and values of the schema as TypeScript: no content can end its quotes. */

/** A text as a literal in single quotes. Characters that an editor would not show are escaped. */
export function literal(text: string): string {
  const inside = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\"', '"')
    .replaceAll("'", "\\'")
    .replaceAll(unseen, escaped)
  return `'${inside}'`
}

/** A text inside a comment: it cannot end the comment or the line. */
export function commentText(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('*/', '*\\/').replaceAll(unseen, escaped)
}

/** A key of an object type or an interface: without quotes where possible. */
export function propertyName(name: string): string {
  return isIdentifier(name) ? name : literal(name)
}

/** A key of an object literal; `__proto__`, bare or quoted, would not be a key there. */
export function keyName(name: string): string {
  return name === '__proto__' ? "['__proto__']" : propertyName(name)
}

/** `.name` or `['any name']` */
export function memberAccess(name: string): string {
  return isIdentifier(name) ? `.${name}` : `[${literal(name)}]`
}

function isIdentifier(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name)
}

/** Controls, and invisible characters: zero widths, changes of direction, line separators, byte order marks. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

function escaped(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
