/** @module The units of intervals. */

export interface IntervalUnit {
  readonly name: string
  readonly part: 'months' | 'days' | 'microseconds'
  /** The number of months, days or microseconds of one unit. */
  readonly factor: bigint
}

const second = 1_000_000n

type UnitRow = readonly [name: string, IntervalUnit['part'], factor: bigint, spellings: string]

const rows: readonly UnitRow[] = [
  ['microsecond', 'microseconds', 1n, 'us usec usecs usecond useconds microsecond microseconds'],
  ['millisecond', 'microseconds', 1000n, 'ms msec msecs msecond mseconds millisecond milliseconds'],
  ['second', 'microseconds', second, 's sec secs second seconds'],
  ['minute', 'microseconds', 60n * second, 'm min mins minute minutes'],
  ['hour', 'microseconds', 3600n * second, 'h hr hrs hour hours'],
  ['day', 'days', 1n, 'd day days'],
  ['week', 'days', 7n, 'w week weeks'],
  ['month', 'months', 1n, 'mon mons month months'],
  ['year', 'months', 12n, 'y yr yrs year years'],
  ['decade', 'months', 120n, 'dec decs decade decades'],
  ['century', 'months', 1200n, 'c cent century centuries'],
  ['millennium', 'months', 12_000n, 'mil mils millennia millennium'],
]

const bySpelling: ReadonlyMap<string, IntervalUnit> = new Map(
  rows.flatMap(([name, part, factor, spellings]) =>
    spellings
      .split(' ')
      .map((spelling): [string, IntervalUnit] => [spelling, { name, part, factor }]),
  ),
)

export function intervalUnit(spelling: string): IntervalUnit | undefined {
  return bySpelling.get(spelling.toLowerCase())
}
