/** @module The changes between two documents, path by path. */
import { isDeepStrictEqual } from 'node:util'
import type { ShownChange } from '@engine/contract/admin-api'
import { isPlainObject } from '../../foundation/plain-object.ts'
import type { ConfigurationDocument } from './document.ts'
import { maskSecrets } from './document-secrets.ts'

/** An option that differs; `undefined` where it is absent. */
export interface Change {
  readonly path: readonly string[]
  readonly before: unknown
  readonly after: unknown
}

/** Objects are compared option by option, lists and other values as a whole. */
export function changesBetween(
  before: ConfigurationDocument,
  after: ConfigurationDocument,
): readonly Change[] {
  return [...differences(before, after, [])]
}

function* differences(before: unknown, after: unknown, path: readonly string[]): Generator<Change> {
  if (isDeepStrictEqual(before, after)) return
  if (!isPlainObject(before) || !isPlainObject(after)) {
    yield { path, before, after }
    return
  }
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    yield* differences(before[key], after[key], [...path, key])
  }
}

/** The changes with `***` for secrets. */
export function shownChanges(
  before: ConfigurationDocument,
  after: ConfigurationDocument,
): readonly ShownChange[] {
  const shown = { before: maskSecrets(before), after: maskSecrets(after) }
  return changesBetween(before, after).map(({ path }) => {
    const old = valueAt(shown.before, path)
    const now = valueAt(shown.after, path)
    return {
      path: path.join('.'),
      ...(old === undefined ? {} : { before: old }),
      ...(now === undefined ? {} : { after: now }),
      ...(isDeepStrictEqual(old, now) ? { isSecret: true } : {}),
    }
  })
}

/**
 * Takes changes back in a later document.
 *
 * @returns the document, and the paths that have been changed again since: these are as they were.
 */
export function withoutChanges(
  document: ConfigurationDocument,
  changes: readonly Change[],
): { readonly document: ConfigurationDocument; readonly conflicts: readonly string[] } {
  const conflicts: string[] = []
  let result: ConfigurationDocument = document
  for (const { path, before, after } of changes) {
    if (isDeepStrictEqual(valueAt(result, path), after)) {
      result = withValue(result, path, before) as ConfigurationDocument
    } else {
      conflicts.push(path.join('.'))
    }
  }
  return { document: result, conflicts }
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isPlainObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  )
}

function withValue(object: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  const before = isPlainObject(object) ? object : {}
  const inner = rest.length === 0 ? value : withValue(before[key], rest, value)
  const others = Object.entries(before).filter(([name]) => name !== key)
  return Object.fromEntries(inner === undefined ? others : [...others, [key, inner]])
}
