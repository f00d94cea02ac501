/** @module Values that an expression needs several times: `hold(n, x)` is 1 and stores x, `held(n)` is x. */
import type { ScalarFunctions, SqliteValue } from './scalar.ts'

/** For one connection: it runs one expression at a time, and an expression stores a value before it reads it. */
export function createHeldValues(): ScalarFunctions {
  const values = new Map<SqliteValue, SqliteValue>()
  return {
    hold: {
      arity: 2,
      isVolatile: true,
      call: (slot = null, value = null) => {
        values.set(slot, value)
        return 1
      },
    },
    held: { arity: 1, isVolatile: true, call: (slot = null) => values.get(slot) ?? null },
  }
}
