import { GatewayError } from '@engine/core'

/** Nesting of arrays and objects. */
const maxDepth = 32

/**
 * Parses JSON that means the same to everybody: an object that names a field twice is refused, since one reader takes
 * the first and another the last; so is deep nesting.
 *
 * @throws {GatewayError} `invalidInput` (400).
 */
export function parseStrictJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new GatewayError('invalidInput', 'The body is not valid JSON.', { cause })
  }
  checkObjects(text)
  return value
}

/** A text, or a bracket, or what ends a key; everything else in valid JSON does not matter here. */
const token = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g

/** Walks valid JSON from left to right, with the keys of each object that is open; undefined stands for an array. */
function checkObjects(text: string): void {
  const open: (Set<string> | undefined)[] = []
  let lastText = ''
  for (const [part] of text.matchAll(token)) {
    if (part === '{' || part === '[') {
      open.push(part === '{' ? new Set() : undefined)
      if (open.length > maxDepth) {
        throw new GatewayError('invalidInput', 'The body is nested too deeply.')
      }
    } else if (part === '}' || part === ']') {
      open.pop()
    } else if (part === ':') {
      addKey(open.at(-1), lastText)
    } else {
      lastText = part
    }
  }
}

/** @param written the key as JSON: escapes can spell one key in two ways. */
function addKey(keys: Set<string> | undefined, written: string): void {
  const key = JSON.parse(written) as string
  if (keys?.has(key)) throw new GatewayError('invalidInput', 'The body names a field twice.')
  keys?.add(key)
}
