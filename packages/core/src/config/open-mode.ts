import { invalidConfiguration } from './parse-config.ts'
import type { Settings } from './settings.ts'

type OpenModeSettings = Pick<Settings, 'auth' | 'authProvider' | 'permissions' | 'open'>

/** No authentication and no permissions: every caller may do everything. */
export function isOpenMode({ auth, authProvider, permissions }: OpenModeSettings): boolean {
  return auth === undefined && authProvider === undefined && permissions.size === 0
}

/** What the log of whatever serves requests says of it. */
export const openModeWarning: string =
  'OPEN MODE: no auth and no permissions are configured: everyone may do everything'

/**
 * Refuses open mode in production, unless the configuration says that it is meant.
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
