/** @module The part of a configuration that the service database stores in interactive mode, as plain JSON. */
import type { ActionDefinition } from '../../config/options/action.ts'
import type { Config } from '../../config/options/config.ts'
import type { Fault, Faults } from '../../foundation/faults.ts'
import { createFaults, suggestion } from '../../foundation/faults.ts'
import { isPlainObject } from '../../foundation/plain-object.ts'
import { addSwitchFaults, isSwitchedOff, rolesOf } from './action-switches.ts'
import { jsonValue } from './json-value.ts'

/** Options of a configuration that the document holds; all others are defined in code. */
export const documentParts = [
  'connections',
  'defaultConnection',
  'permissions',
  'channels',
  'limits',
  'security',
  'audit',
  'schemaEndpoint',
  'actions',
] as const

/** A part of the configuration that can be stored. */
export type DocumentPart = (typeof documentParts)[number]

/**
 * The stored options, each in the form of a configuration file. Two differ: `permissions` are always by name, and `actions` holds
 * switches, since actions are functions.
 */
export type ConfigurationDocument = Readonly<Partial<Record<DocumentPart, unknown>>>

/** `limits.rateLimitStore` stays in code: it is opened when the process starts. */
const limitOfCode = 'rateLimitStore'

/**
 * The document of a configuration in code, for the first revision.
 *
 * @throws {GatewayError} `invalidConfiguration` when a value is not JSON.
 */
export function documentOf(config: Config): ConfigurationDocument {
  const { limits, permissions } = config
  const { [limitOfCode]: _, ...storedLimits } = limits ?? {}
  const parts: ConfigurationDocument = {
    ...config,
    permissions: Array.isArray(permissions) ? byName(permissions) : permissions,
    limits: limits && storedLimits,
    actions: undefined,
  }
  return orderedDocument(
    Object.fromEntries(
      documentParts.flatMap((part) =>
        parts[part] === undefined ? [] : [[part, jsonValue(parts[part], part)]],
      ),
    ),
  )
}

/** Permissions of a list have their own name, or `permission-<number>`. */
function byName(
  permissions: readonly { readonly name?: string }[],
): Readonly<Record<string, unknown>> {
  const result = new Map<string, unknown>()
  for (const [i, permission] of permissions.entries()) {
    const wanted = permission.name ?? `permission-${i + 1}`
    const name = result.has(wanted) ? `${wanted}-${i + 1}` : wanted
    result.set(name, permission)
  }
  return Object.fromEntries(result)
}

/**
 * The configuration that is served: the options of the document, all others from code. A switch of an action that the code no
 * longer defines has no effect.
 */
export function withDocument(code: Config, document: ConfigurationDocument): Config {
  const rest = Object.fromEntries(
    Object.entries(code).filter(([option]) => !isPart(option) || option === 'actions'),
  )
  const { actions: switches, limits, ...parts } = document
  const store = code.limits?.[limitOfCode]
  const allLimits =
    store === undefined
      ? limits
      : { ...(isPlainObject(limits) ? limits : {}), [limitOfCode]: store }
  return {
    ...rest,
    connections: {},
    ...parts,
    ...(allLimits === undefined ? {} : { limits: allLimits }),
    ...(code.actions === undefined ? {} : { actions: switched(code.actions, switches) }),
  } as Config
}

function switched(
  actions: Readonly<Record<string, ActionDefinition>>,
  switches: unknown,
): Readonly<Record<string, ActionDefinition>> {
  const all = isPlainObject(switches) ? switches : {}
  return Object.fromEntries(
    Object.entries(actions).flatMap(([name, action]) => {
      const own = Object.hasOwn(all, name) ? all[name] : undefined
      if (isSwitchedOff(own)) return []
      const roles = rolesOf(own)
      return [[name, roles === undefined ? action : { ...action, roles }]]
    }),
  )
}

/** Faults of the document's own form; those of its options are found by `parseConfig`. */
export function documentFaults(document: unknown, code: Config): readonly Fault[] {
  const faults = createFaults()
  if (!isPlainObject(document)) {
    faults.add('configuration', 'expects an object')
    return faults.list
  }
  for (const part of Object.keys(document)) {
    if (!isPart(part)) addUnknown(part, code, faults)
  }
  const { permissions, limits, actions } = document
  if (Array.isArray(permissions)) faults.add('permissions', 'expects permissions by name')
  if (isPlainObject(limits) && Object.hasOwn(limits, limitOfCode)) {
    faults.add(`limits.${limitOfCode}`, 'is defined in code: leave it out')
  }
  addSwitchFaults(actions, Object.keys(code.actions ?? {}), faults)
  return faults.list
}

function addUnknown(option: string, code: Config, faults: Faults): void {
  const isOfCode = Object.hasOwn(code, option)
  const message = isOfCode
    ? 'is defined in code: leave it out'
    : `unknown key${suggestion(option, documentParts)}`
  faults.add(option, message)
}

export function isPart(option: string): option is DocumentPart {
  return (documentParts as readonly string[]).includes(option)
}

/** The same document with its options in a fixed order and all names sorted, so that texts of equal documents are equal. */
export function orderedDocument(document: ConfigurationDocument): ConfigurationDocument {
  return Object.fromEntries(
    documentParts.flatMap((part) =>
      document[part] === undefined ? [] : [[part, sorted(document[part])]],
    ),
  )
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isPlainObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  )
}
