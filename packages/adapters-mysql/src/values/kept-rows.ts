import type { DriverValue } from './driver-value.ts'

/** `[[1,"a"],[2,null]]`: numbers as numbers, big ones and all other values as text, bytes as hexadecimal text. */
export function keptText(rows: readonly (readonly DriverValue[])[]): string {
  return `[${rows.map((row) => `[${row.map(keptValue).join(',')}]`).join(',')}]`
}

function keptValue(value: DriverValue): string {
  if (value === null) return 'null'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return JSON.stringify(value)
  return `"${value.toString('hex').toUpperCase()}"`
}
