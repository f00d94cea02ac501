/** @module Errors of SET, in PostgreSQL's words. */
import { GatewayError } from '@engine/core'
import type { SettingAccess } from './setting-access.ts'

export function unknownSetting(name: string): GatewayError {
  return new GatewayError('badRequest', `unrecognized configuration parameter "${name}"`, {
    sqlState: '42704',
  })
}

/** Why a client may not change a setting. */
export function lockedSetting(
  name: string,
  access: Exclude<SettingAccess, 'client'>,
): GatewayError {
  if (access === 'superuser') {
    return new GatewayError('permissionDenied', `permission denied to set parameter "${name}"`, {
      sqlState: '42501',
    })
  }
  return new GatewayError('badRequest', `parameter "${name}" cannot be changed${when[access]}`, {
    sqlState: '55P02',
  })
}

const when = { fixed: '', server: ' now', restart: ' without restarting the server' } as const

export function invalidValue(name: string, value: string): GatewayError {
  return invalidSetting(`invalid value for parameter "${name}": "${value}"`)
}

/** @param problem the whole message */
export function invalidSetting(problem: string): GatewayError {
  return new GatewayError('invalidParameter', problem, { sqlState: '22023' })
}

export function invalidSettingName(name: string): GatewayError {
  return new GatewayError('badRequest', `invalid configuration parameter name "${name}"`, {
    sqlState: '42602',
  })
}

export function tooManySettings(): GatewayError {
  return new GatewayError('limitExceeded', 'the settings of this session are too large', {
    sqlState: '54000',
  })
}
