/** @module Any name → a name in TypeScript. */

/** `order_items` → `OrderItems`; `fallback` where no character of the name is allowed in an identifier. */
export function pascalCase(name: string, fallback: string): string {
  const words = wordsOf(name).map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return startsWell(words.join('')) || fallback
}

/** `order_items` → `orderItems`, `ORDERS` → `orders`. */
export function camelCase(name: string, fallback: string): string {
  const [first = '', ...others] = wordsOf(name)
  const head = first === first.toUpperCase() ? first.toLowerCase() : uncapitalized(first)
  const tail = others.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  return startsWell([head, ...tail].join('')) || fallback
}

/** Latin letters without their accents, and digits; all other characters separate words. */
function wordsOf(name: string): readonly string[] {
  return (
    name
      .normalize('NFKD')
      .replaceAll(/\p{M}/gu, '')
      .match(/[A-Za-z0-9]+/g) ?? []
  )
}

function uncapitalized(word: string): string {
  return word.charAt(0).toLowerCase() + word.slice(1)
}

function startsWell(name: string): string {
  return /^\d/.test(name) ? `_${name}` : name
}
