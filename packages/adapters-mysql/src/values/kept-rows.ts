import type { DriverValue } from './driver-value.ts'

/** `[[1,"a"],[2,null]]`: rows in the form of `keptRow`. */
export function keptText(rows: readonly string[]): string {
  return `[${rows.join(',')}]`
}

/** `[1,"a"]`: numbers as numbers, big ones and all other values as text, bytes as hexadecimal text. */
export function keptRow(row: readonly DriverValue[]): string {
  return `[${row.map(keptValue).join(',')}]`
}

/** `[3,17,1,"a"]`: a kept row that was stored, after its position and its number, which is signed. */
export function storedRow(position: number, insertId: bigint, row: string): string {
  const cells = row.slice(1, -1)
  return `[${position},${BigInt.asIntN(64, insertId)}${cells === '' ? '' : ','}${cells}]`
}

function keptValue(value: DriverValue): string {
  if (value === null) return 'null'
  // JSON reads -0 as an integer.
  if (typeof value === 'number') return Object.is(value, -0) ? '-0.0' : String(value)
  if (typeof value === 'string') return JSON.stringify(value)
  return `"${value.toString('hex').toUpperCase()}"`
}
