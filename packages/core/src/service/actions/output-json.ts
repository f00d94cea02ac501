/**
 * An action's output as JSON: dates as ISO 8601 texts, big integers as digits, bytes as `\x…`; `{"ok":true}` where there is none.
 *
 * @throws {TypeError} for values that JSON cannot express: cycles, maps, sets, functions.
 */
export function outputJson(output: unknown): string {
  if (output === undefined) return '{"ok":true}'
  return JSON.stringify(output, replace)
}

/** `this` holds the value before its `toJSON` was called. */
function replace(this: unknown, key: string, value: unknown): unknown {
  const original: unknown = Reflect.get(Object(this), key)
  if (original instanceof Uint8Array) return `\\x${Buffer.from(original).toString('hex')}`
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'function' || typeof value === 'symbol') throw unsuitable(key)
  if (value instanceof Map || value instanceof Set) throw unsuitable(key)
  return value
}

function unsuitable(key: string): TypeError {
  return new TypeError(`the output of the action has something at "${key}" that JSON cannot say`)
}
