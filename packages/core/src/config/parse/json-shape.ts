/** Facts about a JSON text that its value does not show. */
export interface JsonShape {
  /** Nesting of arrays and objects; 0 for a text, a number or another scalar. */
  readonly depth: number
  /** The first repeated field of an object: some readers take its first value, others its last. */
  readonly repeatedKey: string | undefined
}

/** A text, a bracket, or the colon after a key; nothing else in valid JSON matters here. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g

/**
 * Finds what parsed JSON no longer shows: its depth, and fields that are repeated.
 *
 * @param text valid JSON.
 */
export function jsonShape(text: string): JsonShape {
  // The keys of each open object; undefined for an array.
  const open: (Set<string> | undefined)[] = []
  let depth = 0
  let lastText = ''
  for (const [part] of text.matchAll(token)) {
    if (part === '{' || part === '[') {
      open.push(part === '{' ? new Set() : undefined)
      depth = Math.max(depth, open.length)
    } else if (part === '}' || part === ']') {
      open.pop()
    } else if (part === ':') {
      // Escapes can spell one key in two ways.
      const key = JSON.parse(lastText) as string
      const keys = open.at(-1)
      if (keys?.has(key)) return { depth, repeatedKey: key }
      keys?.add(key)
    } else {
      lastText = part
    }
  }
  return { depth, repeatedKey: undefined }
}
