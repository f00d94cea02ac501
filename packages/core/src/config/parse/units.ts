/** @module Sizes and durations as users write them. */

const durations: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
}

const sizes: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1_024,
  mb: 1_048_576,
  gb: 1_073_741_824,
}

/** `'90d'`, `'12h'`, `'1y'`, `'500ms'` in milliseconds; undefined for any other text. */
export function parseDuration(text: string): number | undefined {
  return parseUnit(text, durations)
}

/** `'1mb'`, `'512kb'`, `'100b'` in bytes (1 kb = 1024 b); undefined for any other text. */
export function parseSize(text: string): number | undefined {
  return parseUnit(text.toLowerCase(), sizes)
}

function parseUnit(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const match = /^(\d{1,12})\s*([a-z]+)$/.exec(text)
  const [, digits = '', unit = ''] = match ?? []
  if (match === null || !Object.hasOwn(units, unit)) return undefined
  const value = Number(digits) * (units[unit] ?? Number.NaN)
  return Number.isSafeInteger(value) ? value : undefined
}
