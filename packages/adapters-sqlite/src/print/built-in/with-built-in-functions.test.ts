import { oids } from '@engine/core/catalog'
import { integer, parameter, renderSql } from '@engine/core/print'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decimalFunctions } from '../../functions/decimal/decimal-functions.ts'
import { call } from '../print-context.ts'
import { withBuiltInFunctions } from './with-built-in-functions.ts'

const database = new Database(':memory:').defaultSafeIntegers(true)

const builtIn: ReadonlySet<string> = new Set(
  database.prepare<[], string>('select lower(name) from pragma_function_list').pluck().all(),
)

/** SQLite's own result for a call of one of the adapter's functions: texts are values, numbers are part of the text. */
function evaluated(name: string, ...args: readonly (string | number | null)[]): unknown {
  const type = { oid: oids.text, typmod: -1 }
  const written = args.map((value) =>
    typeof value === 'number' ? integer(value) : parameter({ from: 'constant', value, type }),
  )
  const fragment = withBuiltInFunctions(call(name as 'dec_add', ...written), builtIn, 'SQLite')
  const { text, parameters } = renderSql(fragment, { kind: 'positional' })
  const values = parameters.map((source) => (source.from === 'constant' ? source.value : null))
  return database
    .prepare(`select ${text}`)
    .pluck()
    .get(...values)
}

function ours(name: string, ...args: readonly (string | bigint)[]): unknown {
  return decimalFunctions[name]?.call(...args)
}

/** The total number of digits for which products and sums have room. */
const decimals = fc
  .record({
    digits: fc.bigInt(-9_999_999n, 9_999_999n),
    scale: fc.nat(7),
  })
  .map(({ digits, scale }) => {
    const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0')
    const whole = text.slice(0, text.length - scale)
    const shown = scale === 0 ? whole : `${whole}.${text.slice(-scale)}`
    return digits < 0n ? `-${shown}` : shown
  })

describe('without functions of ours', () => {
  test.each(['dec_add', 'dec_sub', 'dec_mul', 'dec_cmp'])('%s is what it is with them', (name) => {
    fc.assert(
      fc.property(decimals, decimals, (left, right) => {
        expect(evaluated(name, left, right)).toEqual(ours(name, left, right))
      }),
    )
  })

  test('decimals are rounded as with them', () => {
    fc.assert(
      fc.property(decimals, fc.nat(7), (value, places) => {
        const expected = ours('dec_round', value, BigInt(places))
        expect(evaluated('dec_round', value, places)).toEqual(expected)
        expect(evaluated('dec_fit', value, 15, places)).toEqual(expected)
      }),
    )
  })

  test.each([
    ['1.005', 10, 2, '1.01'],
    ['-1.005', 10, 2, '-1.01'],
    ['-0.004', 10, 2, '0.00'],
    ['7', 3, 2, '7.00'],
    ['0', 1, 1, '0.0'],
  ])('%s as numeric(%i,%i) is %s', (value, precision, scale, expected) => {
    expect(evaluated('dec_fit', value, precision, scale)).toBe(expected)
  })

  test.each([
    ['dec_fit', '999.995', 5, 2],
    ['dec_fit', '12345678901234567', 15, 0],
    ['dec_add', '12345678901234567', '1'],
    ['dec_mul', '9999999999999', '9999999999999'],
    ['dec_mul', '0.00000001', '0.00000001'],
    ['dec_cmp', 'NaN', '1'],
  ])('%s of %s is an error: there is no room, or no digit', (name, ...args) => {
    expect(() => evaluated(name, ...args)).toThrow('integer overflow')
  })

  test('NULL stays NULL', () => {
    expect(evaluated('dec_add', null, '1')).toBeNull()
    expect(evaluated('dec_cmp', '1', null)).toBeNull()
    expect(evaluated('dec_fit', null, 10, 2)).toBeNull()
    expect(evaluated('pg_to_json_timestamp', null)).toBeNull()
  })

  test('moments are written into JSON', () => {
    expect(evaluated('pg_to_json_timestamp', '2024-01-31 10:00:00.5')).toBe(
      '"2024-01-31T10:00:00.5"',
    )
    expect(evaluated('pg_to_json_timestamptz', '2024-01-31 10:00:00+00')).toBe(
      '"2024-01-31T10:00:00+00:00"',
    )
  })
})
