import type { Settings } from '../settings/settings.ts'
import { invalidConfiguration } from './parse-config.ts'

type OpenModeSettings = Pick<Settings, 'auth' | 'authProvider' | 'permissions' | 'open'>

/** No authentication and no permissions: every caller may do everything. */
export function isOpenMode({ auth, authProvider, permissions }: OpenModeSettings): boolean {
  return auth === undefined && authProvider === undefined && permissions.size === 0
}

/** The warning that servers write to the log. */
export const openModeWarning: string =
  'OPEN MODE: no auth and no permissions are configured: everyone may do everything'

/**
 * Refuses open mode in production, unless the configuration has `open`.
 *
 * @throws {GatewayError} `invalidConfiguration`.
 */
export function requireClosed(settings: OpenModeSettings, isProduction: boolean): void {
  if (!isProduction || settings.open || !isOpenMode(settings)) return
  throw invalidConfiguration([
    {
      path: 'permissions',
      message:
        'production needs auth or permissions: without both every caller may do everything; "open": true allows that',
    },
  ])
}
