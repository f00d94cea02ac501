/** @module The settings of a session before its client sets any. */

import { cleanName } from './application-name.ts'
import { knownSettings, settingKey } from './known-settings.ts'
import { quoteName } from './name-list.ts'
import { milliseconds, showNumber } from './parse-setting.ts'
import type { SettingsOptions } from './session-settings.ts'
import { customSetting } from './setting-definition.ts'
import { lockedSetting, unknownSetting } from './setting-error.ts'

/**
 * By lower-case name, as SHOW prints them.
 *
 * @throws {GatewayError} for a setting of the startup packet: 42704, 22023, 55P02.
 */
export function initialSettings(options: SettingsOptions): ReadonlyMap<string, string> {
  const { identity, serverVersion, defaultSearchPath } = options
  const values = new Map([
    ['server_version', serverVersion],
    ['server_version_num', versionNumber(serverVersion)],
    ['is_superuser', options.isSuperuser ? 'on' : 'off'],
    ['session_authorization', identity.user],
    ['search_path', defaultSearchPath.map(quoteName).join(', ') || '"$user", public'],
    ['application_name', cleanName(identity.applicationName)],
    ['idle_session_timeout', shownTime(options.idleSessionTimeoutMs)],
    ['idle_in_transaction_session_timeout', shownTime(options.idleInTransactionTimeoutMs)],
  ])
  for (const [name, value] of identity.settings) {
    const key = settingKey(name)
    const setting = knownSettings.get(key) ?? customSetting(name)
    if (setting === undefined) throw unknownSetting(name)
    if (setting.access !== 'client') throw lockedSetting(setting.name, setting.access)
    values.set(key, setting.normalize(value, values.get(key) ?? setting.initial))
  }
  return values
}

function shownTime(timeMs: number | undefined): string {
  return showNumber(timeMs ?? 0, milliseconds)
}

/** `18.1` → 180001, `9.6.24` → 90624. */
function versionNumber(version: string): string {
  const [major = 0, minor = 0, patch = 0] = (/^\d+(?:\.\d+)*/.exec(version)?.[0] ?? '')
    .split('.')
    .map(Number)
  return String(major >= 10 ? major * 10_000 + minor : major * 10_000 + minor * 100 + patch)
}
