/** @module Checks the part of a connection that belongs to its adapter. */
import { z } from 'zod'
import type { Faults } from '../../foundation/faults.ts'
import type { AdapterOptions, WithAdapterOptions } from '../options/adapter-options.ts'
import { checked } from './config-issues.ts'
import type { RegisteredAdapters } from './connection-source.ts'

/** Of an adapter that has no options of its own. */
const none: AdapterOptions = z.strictObject({})

/** The options of an adapter; undefined where the package is not registered, so that its options are not known yet. */
export function registeredOptions(
  adapters: RegisteredAdapters,
  packageName: string,
): AdapterOptions | undefined {
  const adapter = adapters[packageName]
  if (adapter === undefined) return undefined
  return optionsOf(typeof adapter === 'function' ? adapter : adapter.connect)
}

/** The options of a factory. */
export function optionsOf({ options = none }: WithAdapterOptions): AdapterOptions {
  return options
}

/**
 * Adds the faults of an adapter's own options.
 *
 * @param given what the connection has besides the options of every connection.
 * @param others the names of those, for suggestions.
 */
export function addAdapterFaults(
  given: Readonly<Record<string, unknown>>,
  options: AdapterOptions,
  {
    at,
    others,
    faults,
  }: { readonly at: string; readonly others: readonly string[]; readonly faults: Faults },
): void {
  const known = others.map((name): [string, z.ZodType] => [name, z.unknown().optional()])
  const all = z.strictObject({ ...Object.fromEntries(known), ...options.shape })
  // Rules over several options are checked when each of them is right.
  if (checked(all, given, at, faults) !== undefined) checked(options, given, at, faults)
}
