/** @module DateStyle: how dates are written, and in which order an ambiguous one is read. */
import { invalidSetting, invalidValue } from './setting-error.ts'

/**
 * `iso, dmy` → `ISO, DMY`; a part that is not given keeps its value. @throws {GatewayError} 22023 for styles other than
 * ISO.
 */
export function normalizeDateStyle(value: string, current: string): string {
  let order = current.slice(-3)
  for (const word of value.toLowerCase().split(',')) {
    const part = word.trim().replaceAll('"', '')
    if (part === 'iso') continue
    if (part === 'default') order = 'MDY'
    else if (part === 'ymd') order = 'YMD'
    else if (part === 'dmy' || part.startsWith('euro')) order = 'DMY'
    else if (part === 'mdy' || part === 'us' || part.startsWith('noneuro')) order = 'MDY'
    else if (/^(?:sql|german|postgres.*)$/.test(part)) {
      throw invalidSetting(
        `invalid value for parameter "DateStyle": "${value}": dates are written in style ISO`,
      )
    } else throw invalidValue('DateStyle', value)
  }
  return `ISO, ${order}`
}
