import { describe, expect, test } from 'vitest'
import { compareProgram, type Outcome } from './compare-program.ts'
import { programsOn } from './program.ts'

/** The client of these programs returns a value, or throws. */
type Db = () => unknown

const { read, write } = programsOn<Db>()
const program = read('asks', async (db) => db())
const noReset = async () => undefined

const refusal = (status: number) => () => {
  throw Object.assign(new Error('no'), { status })
}
const failure = () => {
  throw new Error('connection lost')
}

async function outcomeOf(direct: Db, gateway: Db): Promise<Outcome> {
  const sides = { direct, gateway, reset: noReset, database: 'postgres' } as const
  return (await compareProgram(program, sides)).outcome
}

describe('an outcome is', () => {
  test('equal when dates, bigints, nulls and nested values are', async () => {
    const value = () => [{ at: new Date(0), n: 2n ** 60n, none: null, in: [[1, { a: 'b' }]] }]
    expect(await outcomeOf(value, value)).toEqual({ kind: 'equal', value: value() })
  })

  test('different when a number comes as text, and holds both values', async () => {
    expect(
      await outcomeOf(
        () => [1],
        () => ['1'],
      ),
    ).toEqual({ kind: 'different', direct: [1], gateway: ['1'] })
  })

  test('different when null comes as nothing', async () => {
    const { kind } = await outcomeOf(
      () => ({ a: null }),
      () => ({}),
    )
    expect(kind).toBe('different')
  })

  test('refused when only the gateway says no', async () => {
    expect(await outcomeOf(() => 1, refusal(400))).toEqual({
      kind: 'refused',
      status: 400,
      message: 'no',
    })
  })

  test('refused when the refusal is the cause of the error', async () => {
    const wrapped = () => {
      throw new Error('Failed query', { cause: Object.assign(new Error('no'), { status: 403 }) })
    }
    expect(await outcomeOf(() => 1, wrapped)).toMatchObject({ kind: 'refused', status: 403 })
  })

  test('rejected when both say no', async () => {
    expect(await outcomeOf(failure, refusal(409))).toMatchObject({ kind: 'rejected', status: 409 })
  })

  test('failed when the gateway answers 5xx', async () => {
    expect(await outcomeOf(() => 1, refusal(500))).toMatchObject({
      kind: 'failed',
      side: 'gateway',
    })
  })

  test('failed when the program does not work directly', async () => {
    expect(await outcomeOf(failure, () => 1)).toMatchObject({ kind: 'failed', side: 'direct' })
  })
})

describe('an outcome is expected', () => {
  const cases = [
    { options: {}, gateway: () => 1, database: 'postgres', expected: true },
    { options: {}, gateway: refusal(400), database: 'other', expected: false },
    { options: { portable: false }, gateway: refusal(400), database: 'other', expected: true },
    { options: { portable: false }, gateway: refusal(400), database: 'postgres', expected: false },
    { options: { portable: false }, gateway: () => 2, database: 'other', expected: false },
    { options: { expect: 'refused' }, gateway: refusal(400), database: 'postgres', expected: true },
    { options: { expect: 'refused' }, gateway: () => 1, database: 'postgres', expected: false },
  ] as const

  test.each(cases)('$expected for $options on $database', async (given) => {
    const asked = read('asks', async (db) => db(), given.options)
    const sides = { direct: () => 1, reset: noReset, ...given }
    expect((await compareProgram(asked, sides)).expected).toBe(given.expected)
  })

  test('when both say no with the right status alone', async () => {
    const asked = read('asks', async (db) => db(), { expect: { rejected: 409 } })
    const sides = { direct: failure, reset: noReset, database: 'postgres' } as const
    const reports = [
      await compareProgram(asked, { ...sides, gateway: refusal(409) }),
      await compareProgram(asked, { ...sides, gateway: refusal(422) }),
    ]
    expect(reports.map((report) => report.expected)).toEqual([true, false])
  })
})

test('a program that writes finds the tables reset on either side', async () => {
  const events: string[] = []
  const note = (event: string) => () => {
    events.push(event)
  }
  const reset = async () => note('reset')()
  const writer = write('writes', async (db) => db())
  await compareProgram(writer, {
    direct: note('direct'),
    gateway: note('gateway'),
    reset,
    database: 'postgres',
  })
  expect(events).toEqual(['reset', 'direct', 'reset', 'gateway'])
})
