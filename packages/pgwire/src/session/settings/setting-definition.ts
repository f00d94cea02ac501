/** @module The definition of one setting. */

import { type NumberRange, parseBoolean, parseNumber, showNumber } from './parse-setting.ts'
import type { SettingAccess } from './setting-access.ts'
import { invalidSetting, invalidSettingName, invalidValue } from './setting-error.ts'

export interface SettingDefinition {
  /** The spelling of its name: `DateStyle`. */
  readonly name: string
  /** The default value, as SHOW prints it. */
  readonly initial: string
  readonly description: string
  readonly access: SettingAccess
  /** Every change is reported to the client (ParameterStatus). */
  readonly isReported: boolean
  /** Left out of SHOW ALL. */
  readonly isHidden: boolean
  /** RESET ALL does not change it. */
  readonly isKept: boolean
  /**
   * A value as the client writes it → as SHOW prints it.
   *
   * @param current its current value
   * @throws {GatewayError} 22023.
   */
  readonly normalize: (value: string, current: string) => string
}

type Facts = Partial<Pick<SettingDefinition, 'access' | 'isReported' | 'isHidden' | 'isKept'>>

export function define(
  name: string,
  initial: string,
  description: string,
  normalize: SettingDefinition['normalize'],
  facts: Facts = {},
): SettingDefinition {
  return {
    name,
    initial,
    description,
    normalize,
    access: 'client',
    isReported: false,
    isHidden: false,
    isKept: false,
    ...facts,
  }
}

/** @param initial `on` or `off` */
export function flagSetting(
  name: string,
  initial: string,
  description: string,
  facts?: Facts,
): SettingDefinition {
  const normalize = (value: string) => (parseBoolean(name, value) ? 'on' : 'off')
  return define(name, initial, description, normalize, facts)
}

/** @param initial in the base unit */
export function numberSetting(
  name: string,
  initial: number,
  range: NumberRange,
  description: string,
  facts?: Facts,
): SettingDefinition {
  const normalize = (value: string) => showNumber(parseNumber(name, value, range), range.unit)
  return define(name, showNumber(initial, range.unit), description, normalize, facts)
}

/** One of several words, in any letter case; `aliases` are accepted too. */
export function choiceSetting(
  name: string,
  choices: readonly string[],
  description: string,
  facts?: Facts,
  aliases: Readonly<Record<string, string>> = {},
): SettingDefinition {
  const normalize = (value: string) => {
    const word = value.toLowerCase()
    const choice = choices.find((each) => each === word) ?? aliases[word]
    if (choice === undefined) throw invalidValue(name, value)
    return choice
  }
  return define(name, choices[0] ?? '', description, normalize, facts)
}

/** Any text. */
export function textSetting(
  name: string,
  initial: string,
  description: string,
  facts?: Facts,
): SettingDefinition {
  return define(name, initial, description, (value) => value, facts)
}

/** Only one value is allowed: any other value is refused, with its name. */
export function onlySetting(
  name: string,
  only: string,
  reason: string,
  description: string,
  accepts: (value: string) => boolean,
  facts?: Facts,
): SettingDefinition {
  const normalize = (value: string) => {
    if (accepts(value)) return only
    throw invalidSetting(`invalid value for parameter "${name}": "${value}": ${reason}`)
  }
  return define(name, only, description, normalize, facts)
}

/**
 * A custom setting of the client, `app.user`; undefined for a name without a dot.
 *
 * @throws {GatewayError} 42602 for a name with a dot whose parts are not valid names.
 */
export function customSetting(name: string): SettingDefinition | undefined {
  if (!name.includes('.')) return undefined
  if (
    !/^[a-z_\u0080-\uffff][\w$\u0080-\uffff]*(?:\.[a-z_\u0080-\uffff][\w$\u0080-\uffff]*)+$/i.test(
      name,
    )
  ) {
    throw invalidSettingName(name)
  }
  return textSetting(name, '', '')
}
