/** @module Changes of a document in part. */
import { isPlainObject } from '../../foundation/plain-object.ts'
import type { ConfigurationDocument } from './document.ts'

/** Options whose entries are replaced as a whole: a `null` inside of a permission is a value, not a removal. */
const byName: ReadonlySet<string> = new Set(['connections', 'permissions', 'actions'])

/**
 * The document with the options of `patch`. In `connections`, `permissions` and `actions` each named entry is replaced, and removed
 * by `null`; all other options are merged as a JSON Merge Patch.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7396
 */
export function patchDocument(
  document: ConfigurationDocument,
  patch: Readonly<Record<string, unknown>>,
): ConfigurationDocument {
  const result = new Map<string, unknown>(Object.entries(document))
  for (const [part, value] of Object.entries(patch)) {
    if (value === null) result.delete(part)
    else if (byName.has(part) && isPlainObject(value)) {
      result.set(part, withEntries(result.get(part), value))
    } else result.set(part, mergePatch(result.get(part), value))
  }
  return Object.fromEntries(result)
}

function withEntries(target: unknown, entries: Readonly<Record<string, unknown>>): unknown {
  const result = new Map(Object.entries(isPlainObject(target) ? target : {}))
  for (const [name, value] of Object.entries(entries)) {
    if (value === null) result.delete(name)
    else result.set(name, value)
  }
  return Object.fromEntries(result)
}

function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isPlainObject(patch)) return patch
  const result = new Map(Object.entries(isPlainObject(target) ? target : {}))
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) result.delete(key)
    else result.set(key, mergePatch(result.get(key), value))
  }
  return Object.fromEntries(result)
}
