/** What a JSON text looks like, which its value does not show. */
export interface JsonShape {
  /** Arrays and objects inside each other; 0 for a text, a number and the like. */
  readonly depth: number
  /** The first field that an object names twice: one reader takes the first, another the last. */
  readonly repeatedKey: string | undefined
}

/** A text, or a bracket, or what ends a key; everything else in valid JSON does not matter here. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g

/** @param text valid JSON. */
export function jsonShape(text: string): JsonShape {
  // The keys of each object that is open; undefined: an array.
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
