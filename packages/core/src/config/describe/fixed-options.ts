/** @module The options that cannot change while the process runs. */
import { isDeepStrictEqual } from 'node:util'
import type { Fault } from '../../foundation/faults.ts'
import type { Settings } from '../settings/settings.ts'

/** @returns a fault for each option that has another value and needs a restart. */
export function fixedOptionFaults(before: Settings, after: Settings): readonly Fault[] {
  const now = fixedOptions(after)
  return [...fixedOptions(before)]
    .filter(([path, value]) => !isSame(value, now.get(path)))
    .map(([path]) => ({
      path,
      message: 'cannot change while the process runs: this option needs a restart',
    }))
}

/** By path in the configuration. */
function fixedOptions(settings: Settings): ReadonlyMap<string, unknown> {
  const { serviceDatabase, isServiceDatabaseNamed, auth, authProvider, pgWire } = settings
  const { tls, ...wire } = pgWire ?? {}
  return new Map<string, unknown>([
    ['mode', settings.mode],
    ['admin', settings.admin],
    ['service_db', [serviceDatabase, isServiceDatabaseNamed]],
    ['masterKey', settings.masterKey],
    ['auth', [auth, authProvider]],
    ['jwt', settings.jwt],
    ['limits.rateLimitStore', settings.limits.rateLimitStore],
    // A certificate may be replaced by another one.
    ['pgWire.tls', tls !== undefined],
    ['pgWire', pgWire === undefined ? undefined : wire],
    ['internal', settings.internal],
    ['metrics', settings.isMetricsEnabled],
  ])
}

/**
 * Are two values the same? Functions are, with the same source text: a file that is loaded again makes new ones. So are two
 * instances of such a class.
 */
function isSame(a: unknown, b: unknown): boolean {
  if (isDeepStrictEqual(a, b)) return true
  if (typeof a === 'function' && typeof b === 'function') return isSameText(a, b)
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, i) => isSame(item, b[i]))
  }
  if (!isRecord(a) || !isRecord(b)) return false
  const [as, bs] = [Object.keys(a), Object.keys(b)]
  return (
    isSamePrototype(a, b) &&
    as.length === bs.length &&
    as.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]))
  )
}

/** Objects whose content are their properties. */
function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' &&
    value !== null &&
    !(value instanceof Map || value instanceof Set || ArrayBuffer.isView(value)) &&
    !(value instanceof Date || value instanceof RegExp)
  )
}

function isSamePrototype(a: object, b: object): boolean {
  if (Object.getPrototypeOf(a) === Object.getPrototypeOf(b)) return true
  const [of, other] = [a.constructor, b.constructor]
  return typeof of === 'function' && typeof other === 'function' && isSameText(of, other)
}

/** A function of the platform does not show its text. */
// biome-ignore lint/complexity/noBannedTypes: any function
function isSameText(a: Function, b: Function): boolean {
  const text = String(a)
  return text === String(b) && !/\[native code\]/.test(text)
}
