/**
 * @module Numbers in JSON that MySQL can keep: integers of 64 bits and doubles. `2.50` would become 2.5, `1e2` 100.0, and a number of
 * more digits another number.
 */

/** Does the server print every number of a JSON text as the text has it? */
export function isHeldJson(text: string): boolean {
  const bare = text.replaceAll(/"(?:[^"\\]|\\.)*"/gs, '""')
  return [...bare.matchAll(/-?\d[\d.eE+-]*/g)].every(([number]) => isHeldNumber(number))
}

const [leastSigned, mostUnsigned] = [-(2n ** 63n), 2n ** 64n]

function isHeldNumber(number: string): boolean {
  if (/^-?\d+$/.test(number)) {
    const value = BigInt(number)
    return number !== '-0' && value >= leastSigned && value < mostUnsigned
  }
  return positional(Number(number)) === number
}

/** A double between 1e-15 and 1e15 as the server prints it: `1.0`, `0.25`. Undefined for others, which get an exponent. */
function positional(double: number): string | undefined {
  const size = Math.abs(double)
  if (double === 0) return Object.is(double, -0) ? undefined : '0.0'
  if (size < 1e-15 || size >= 1e15) return undefined
  if (Number.isInteger(double)) return `${double}.0`
  const [mantissa = '', exponent = '0'] = size.toExponential().split('e')
  const power = Number(exponent)
  const digits = mantissa.replace('.', '')
  const sign = double < 0 ? '-' : ''
  return power < 0
    ? `${sign}0.${'0'.repeat(-power - 1)}${digits}`
    : `${sign}${digits.slice(0, power + 1)}.${digits.slice(power + 1)}`
}
