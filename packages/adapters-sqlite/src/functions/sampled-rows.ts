import { randomInt } from 'node:crypto'

/** A loop over rows that take no time checks for one of so many, on average, whether it must stop. A power of two. */
export const sampledRows = 32

/** The same of a scan that reads each row of a table once. A power of two. */
export const scannedRows = 256

/**
 * A scan checks at rows whose rowid has a remainder by this number that is divisible by `scannedRows`. Callers choose the rowid, so they
 * must not know it. Small, since anyone knows the remainder of a rowid below it.
 */
export const scanDivisor: number = secretPrime(1_000, 8_000)

function secretPrime(least: number, most: number): number {
  for (;;) {
    const number = randomInt(least, most)
    if (isPrime(number)) return number
  }
}

function isPrime(number: number): boolean {
  for (let factor = 2; factor * factor <= number; factor += 1) {
    if (number % factor === 0) return false
  }
  return true
}
