/** @module The contrast of two colours, and every pair of colours that the pages use. */

/** Relative luminance of a colour such as `#12703f`. @see https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** From 1 to 21. @param one, other such as `#12703f`. */
export function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

/** Names of two colours: the front, and its ground. */
export type Pair = readonly [front: string, ground: string]

const grounds = ['canvas', 'surface', 'sunken', 'hover', 'selected']
const texts = ['text', 'text-2', 'text-3', 'accent', 'red', 'green', 'amber', 'blue', 'violet']
const codes = ['code-keyword', 'code-string', 'code-number', 'code-name', 'code-comment']
const onSoft = ['green', 'amber', 'red', 'blue', 'violet']

/** Text on its ground: at least 4.5, level AA. */
export const readable: readonly Pair[] = [
  ...texts.flatMap((text) => grounds.map((ground): Pair => [text, ground])),
  ...codes.flatMap((text) => ['surface', 'sunken'].map((ground): Pair => [text, ground])),
  ...onSoft.map((name): Pair => [name, `${name}-soft`]),
  ...['text', 'text-2', 'text-3'].map((text): Pair => [text, 'grey-soft']),
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['on-solid', 'solid'],
  ['on-solid', 'solid-hover'],
]

/** Edges of controls and the focus ring on their ground: at least 3. */
export const visible: readonly Pair[] = [
  ...['canvas', 'surface'].map((ground): Pair => ['focus', ground]),
  ...['canvas', 'surface'].map((ground): Pair => ['control-border', ground]),
]

export const leastReadable = 4.5
export const leastVisible = 3
