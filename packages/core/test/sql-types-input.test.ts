import { afterAll, beforeAll, expect, test } from 'vitest'
import type { InputMode } from '../src/compiler/sql-types/input/input-value.ts'
import {
  arrays,
  bitStrings,
  booleans,
  byteStrings,
  dates,
  decimals,
  extremeIntervals,
  floats,
  integers,
  intervals,
  jsonTexts,
  labels,
  monthNames,
  texts,
  uuids,
} from './sql-types-literals.ts'
import {
  describeCatalogVersion,
  type Oracle,
  openOracle,
  type Reading,
} from './sql-types-oracle.ts'

const arrayTypes = [
  ...['int4[]', 'text[]', 'bool[]', 'numeric[]', 'numeric(4,1)[]', 'float8[]', 'date[]'],
  ...['timestamptz[]', 'jsonb[]', 'mood[]', 'varchar(3)[]', 'uuid[]', 'char(3)[]', 'bytea[]'],
  'numbers',
]
const dateTypes = [
  ...['date', 'time', 'timetz', 'timestamp', 'timestamptz', 'time(0)', 'time(2)', 'timetz(3)'],
  ...['timestamp(0)', 'timestamp(3)', 'timestamptz(1)'],
]
const decimalTypes = ['numeric', 'numeric(4,2)', 'numeric(10)', 'numeric(3,-2)', 'numeric(3,5)']
const textTypes = ['text', 'varchar', 'varchar(5)', 'char(5)', 'char(1)', 'name', 'short_text']

const corpus: readonly (readonly [types: readonly string[], literals: readonly string[]])[] = [
  [['int2', 'int4', 'int8', 'oid'], integers],
  [decimalTypes, decimals],
  [['float4', 'float8'], floats],
  [['bool'], booleans],
  [dateTypes, dates],
  [['date', 'timestamp', 'timestamp(0)', 'timestamptz'], monthNames],
  [['interval', 'interval(0)', 'interval(2)'], intervals],
  [['interval'], extremeIntervals],
  [['uuid'], uuids],
  [['bytea'], byteStrings],
  [['json', 'jsonb'], jsonTexts],
  [arrayTypes, arrays],
  [textTypes, texts],
  [['bit(3)', 'bit(1)', 'varbit', 'varbit(3)'], bitStrings],
  [['mood', 'feeling'], labels],
]

/** Texts that PostgreSQL accepts and the engine refuses, each with the reason. */
const refusedOnPurpose: readonly (readonly [
  types: readonly string[],
  literals: readonly string[],
])[] = [
  // They mean the time of reading: parameters get it from the request, literals from the binder.
  [
    ['date', 'timestamp', 'timestamptz'],
    ['now', 'today', 'tomorrow', 'yesterday', 'today 10:30'],
  ],
  [['time', 'timetz'], ['now']],
  // The offset of the abbreviation depends on the date.
  [['timestamp', 'timestamptz'], ['2024-01-15 10:30 MSK']],
  [['interval(0)'], extremeIntervals],
  // Hexadecimal floats are accidents of the C library.
  [['float4', 'float8'], ['0x1F']],
  // A few characters must not expand to a huge number of digits.
  [
    ['numeric', 'jsonb'],
    ['1e401', '1e-401'],
  ],
  // The engine's arrays begin at 1.
  [['int4[]'], ['[1:2]={1,2}', '[2:3]={1,2}']],
]

await describeCatalogVersion('values as PostgreSQL reads them', () => {
  let oracle: Oracle

  beforeAll(async () => {
    oracle = await openOracle()
  })
  afterAll(() => oracle.close())

  const ourReading = (
    type: { readonly oid: number; readonly typmod: number },
    literal: string,
    mode: InputMode,
  ): Reading => {
    const read = oracle.types.parseInput(type.oid, type.typmod, literal, mode)
    if (!read.ok) return read
    if (read.value === null) throw new Error('no NULL was given')
    if (typeof read.value === 'boolean') return { ok: true, text: read.value ? 't' : 'f' }
    return { ok: true, text: oracle.types.inputText(type.oid, read.value) }
  }

  const differences = async (typeText: string, literals: readonly string[], mode: InputMode) => {
    const type = await oracle.typeNamed(typeText)
    const theirs = await (mode === 'explicit'
      ? oracle.readAll(typeText, literals)
      : oracle.storeAll(typeText, literals))
    return literals.flatMap((literal, i) => {
      const ours = ourReading(type, literal, mode)
      const their = theirs[i]
      const isSame = ours.ok ? their?.ok && their.text === ours.text : their?.ok === false
      return isSame ? [] : [{ typeText, literal, ours, theirs: their }]
    })
  }

  for (const [types, literals] of corpus) {
    test(`${types.join(', ')}: ${literals.length} texts, cast`, async () => {
      for (const type of types) expect(await differences(type, literals, 'explicit')).toEqual([])
    })
  }

  test('the SQLSTATE of every text that is no interval', async () => {
    const type = await oracle.typeNamed('interval')
    const stateOf = (reading: Reading | undefined) =>
      reading?.ok === false ? reading.sqlState : ''
    const theirs = await oracle.readAll('interval', intervals)
    expect(intervals.map((text) => [text, stateOf(ourReading(type, text, 'explicit'))])).toEqual(
      intervals.map((text, i) => [text, stateOf(theirs[i])]),
    )
  })

  test('stored in columns with a length', async () => {
    for (const type of ['varchar(5)', 'char(5)', 'char(1)', 'short_text']) {
      expect(await differences(type, texts, 'assignment')).toEqual([])
    }
    for (const type of ['bit(3)', 'varbit(3)']) {
      expect(await differences(type, bitStrings, 'assignment')).toEqual([])
    }
    for (const type of ['varchar(3)[]', 'char(3)[]']) {
      expect(await differences(type, arrays, 'assignment')).toEqual([])
    }
    expect(await differences('numeric(4,2)', decimals, 'assignment')).toEqual([])
  })

  test('the SQLSTATE of a refusal', async () => {
    const bad: readonly (readonly [string, string])[] = [
      ['int4', 'abc'],
      ['int4', '2147483648'],
      ['int8', '9223372036854775808'],
      ['numeric', '1.2.3'],
      ['numeric(4,2)', '100'],
      ['float8', '1e309'],
      ['bool', 'maybe'],
      ['date', 'abc'],
      ['date', '2024-02-30'],
      ['timestamp', '294277-01-01'],
      ['timestamptz', '2024-01-15 10:30+16'],
      ['interval', 'abc'],
      ['interval', '1:60:00'],
      ['uuid', 'abc'],
      ['bytea', '\\xz'],
      ['json', '{'],
      ['jsonb', '"\\u0000"'],
      ['int4[]', '{1'],
      ['mood', 'angry'],
    ]
    for (const [typeText, literal] of bad) {
      const [theirs] = await oracle.readAll(typeText, [literal])
      const ours = ourReading(await oracle.typeNamed(typeText), literal, 'explicit')
      expect(ours.ok ? ours.text : ours.sqlState, `${typeText} ${literal}`).toBe(
        theirs?.ok === false ? theirs.sqlState : theirs?.text,
      )
    }
  })

  test('what is refused on purpose', async () => {
    for (const [types, literals] of refusedOnPurpose) {
      for (const typeText of types) {
        const theirs = await oracle.readAll(typeText, literals)
        expect(
          theirs.map(({ ok }) => ok),
          typeText,
        ).toEqual(literals.map(() => true))
        const type = await oracle.typeNamed(typeText)
        const ours = literals.map((literal) => ourReading(type, literal, 'explicit').ok)
        expect(ours, typeText).toEqual(literals.map(() => false))
      }
    }
  })

  test("a domain's check is left to the database", async () => {
    const type = await oracle.typeNamed('positive')
    expect(ourReading(type, '-1', 'explicit')).toEqual({ ok: true, text: '-1' })
    expect(await oracle.readAll('positive', ['-1'])).toEqual([{ ok: false, sqlState: '23514' }])
  })
})
