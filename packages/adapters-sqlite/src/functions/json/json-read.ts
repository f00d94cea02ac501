/** @module Parts of JSON values: members, items, texts. */
import { nodeOf } from './json-text.ts'
/** `->`: a member by key, or an item by position (negative from the end). */
export function get(text: string, key: bigint | string): string | null {
  const node = nodeOf(text)
  if (typeof key === 'bigint') {
    return node.kind === 'array' ? (node.items.at(Number(key)) ?? null) : null
  }
  return node.kind === 'object' ? (node.members.get(key) ?? null) : null
}

/** `->>`: a string without quotes, JSON null as NULL. */
export function asText(text: string | null): string | null {
  if (text === null) return null
  const node = nodeOf(text)
  if (node.kind === 'null') return null
  if (node.kind !== 'string') return text
  const decoded: unknown = JSON.parse(node.text)
  return String(decoded)
}

/** Follows a path of keys and positions; NULL where a step does not exist. */
export function follow(text: string, path: readonly (string | null)[]): string | null {
  let current: string | null = text
  for (const part of path) {
    if (current === null || part === null) return null
    const node = nodeOf(current)
    if (node.kind === 'object') current = node.members.get(part) ?? null
    else if (node.kind === 'array')
      current = /^-?\d+$/.test(part) ? (node.items.at(Number(part)) ?? null) : null
    else return null
  }
  return current
}
