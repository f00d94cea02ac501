/** @module The options of limits, security, audit and the schema endpoint, and the switches of actions, with the source of each value. */
import type { ShownAction, ShownOption } from '@engine/contract/admin-api'
import { redactConfig } from '../../config/describe/redact-config.ts'
import type { ActionDefinition } from '../../config/options/action.ts'
import type { Config } from '../../config/options/config.ts'
import { limitDefaults } from '../../config/parse/parse-limits.ts'
import { operationDefaults } from '../../config/parse/parse-operations.ts'
import { isPlainObject } from '../../foundation/plain-object.ts'
import { isSwitchedOff, rolesOf } from './action-switches.ts'
import { type ConfigurationDocument, documentOf } from './document.ts'
import { maskSecrets } from './document-secrets.ts'

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
