import type { DriverValue } from './driver-value.ts'

/** `[[1,"a"],[2,null]]`: rows in the form of `keptRow`. */
export function keptText(rows: readonly string[]): string {
  return `[${rows.join(',')}]`
}

/** `[1,"a"]`: numbers as numbers, big ones and all other values as text, bytes as hexadecimal text. */
export function keptRow(row: readonly DriverValue[]): string {
  return `[${row.map(keptValue).join(',')}]`
}

function keptValue(value: DriverValue): string {
  if (value === null) return 'null'
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return JSON.stringify(value)
  return `"${value.toString('hex').toUpperCase()}"`
}
