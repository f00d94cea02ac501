/** @module The options of limits, security, audit and the schema endpoint, and the switches of actions, with the source of each value. */
import type { ActionDefinition } from '../../config/action.ts'
import type { Config } from '../../config/config.ts'
import { limitDefaults } from '../../config/parse-limits.ts'
import { operationDefaults } from '../../config/parse-operations.ts'
import { redactConfig } from '../../config/redact-config.ts'
import { isPlainObject } from '../../foundation/plain-object.ts'
import { isSwitchedOff, rolesOf } from './action-switches.ts'
import { type ConfigurationDocument, documentOf } from './document.ts'
import { maskSecrets } from './document-secrets.ts'

/** `stored`: by the service database. `code`: by the configuration in code. `built-in`: by neither, the default applies. */
export type OptionSource = 'stored' | 'code' | 'built-in'

/** An option in the form of a configuration file, without secrets. A value that is absent is null. */
export interface ShownOption {
  /** `limits.maxRows` */
  readonly path: string
  /** The value in force. */
  readonly value: unknown
  readonly source: OptionSource
  /** What the code says; in interactive mode it has no effect after the first start. */
  readonly code: unknown
  readonly builtIn: unknown
  /** It stays in code, in interactive mode, too. */
  readonly isFixed: boolean
}

/** An action of the code, and who may run it. */
export interface ShownAction {
  readonly name: string
  readonly description: string | null
  readonly isEnabled: boolean
  readonly roles: readonly string[]
  readonly source: 'stored' | 'code'
  /** The roles that the code names. */
  readonly codeRoles: readonly string[]
}

/** It is opened at the start. */
const fixedOption = 'limits.rateLimitStore'

/**
 * The options of a configuration, as administrators see them.
 *
 * @param stored the document in force; undefined where code defines the configuration.
 */
export function shownOptions(
  code: Config,
  stored: ConfigurationDocument | undefined,
): readonly ShownOption[] {
  const { limits } = redactConfig({ limits: code.limits }) as Pick<Config, 'limits'>
  const inCode = { ...maskSecrets(documentOf(code)), limits }
  const inForce = stored && maskSecrets(stored)
  return [...limitDefaults(), ...operationDefaults()].map(({ path, builtIn = null }) => {
    const isFixed = path === fixedOption
    const ofCode = optionAt(inCode, path)
    const isStored = inForce !== undefined && !isFixed
    const value = isStored ? optionAt(inForce, path) : ofCode
    const source = isStored ? 'stored' : 'code'
    return {
      path,
      value: value ?? builtIn,
      source: value === undefined ? 'built-in' : source,
      code: ofCode ?? null,
      builtIn,
      isFixed,
    }
  })
}

/**
 * The actions of a configuration, as administrators see them.
 *
 * @param stored as above; its switches decide which actions there are.
 */
export function shownActions(
  { actions = {} }: Config,
  stored: ConfigurationDocument | undefined,
): readonly ShownAction[] {
  const switches = isPlainObject(stored?.actions) ? stored.actions : {}
  return Object.entries(actions).map(([name, action]) =>
    shownAction(name, action, Object.hasOwn(switches, name) ? switches[name] : undefined),
  )
}

function shownAction(
  name: string,
  { description, roles }: ActionDefinition,
  own: unknown,
): ShownAction {
  return {
    name,
    description: description ?? null,
    isEnabled: !isSwitchedOff(own),
    roles: rolesOf(own) ?? roles,
    source: own === undefined ? 'code' : 'stored',
    codeRoles: roles,
  }
}

/** `schemaEndpoint: true` is `{ enabled: true }`. */
function optionAt(document: ConfigurationDocument, path: string): unknown {
  return path.split('.').reduce<unknown>((value, key) => {
    if (typeof value === 'boolean' && key === 'enabled') return value
    return isPlainObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  }, document)
}
