/** @module `pnpm fuzz nesting`: measures the planning of the most expensive statements, on every printer. */
import { createPlanner, type Planned } from './planner.ts'
import { printers } from './printers.ts'
import { worstStatements } from './worst-statements.ts'

export interface NestingOptions {
  readonly seed: number
  /** Mixtures of shapes, besides one statement for every shape. */
  readonly mixtures: number
  /** Only printers and statements whose names contain these. */
  readonly printer: string | undefined
  readonly only: string | undefined
  readonly onProgress: (text: string) => void
}

interface Measured extends Planned {
  readonly name: string
  readonly sql: string
}

export async function measureNesting(options: NestingOptions): Promise<void> {
  const { seed, mixtures, printer = '', only = '', onProgress } = options
  const statements = worstStatements(seed, mixtures).filter(({ name }) => name.includes(only))
  for (const each of printers.filter(({ name }) => name.includes(printer))) {
    const planner = await createPlanner(each)
    const measured: Measured[] = []
    try {
      for (const statement of statements) {
        measured.push({ ...statement, ...(await planner.plan(statement.sql)) })
      }
    } finally {
      await planner.close()
    }
    onProgress(reportOf(each.name, measured))
  }
}

function reportOf(printer: string, measured: readonly Measured[]): string {
  const outcomes = new Map<string, number>()
  for (const { outcome } of measured) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
  const slowest = measured.toSorted((left, right) => right.ms - left.ms)
  const times = slowest.map(({ ms }) => ms)
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? 0).toFixed(1)
  const lines = slowest
    .slice(0, 12)
    .map(
      ({ ms, steps, outcome, name }) =>
        `    ${ms.toFixed(0)} ms, ${steps} steps, ${outcome}: ${name}`,
    )
  const refused = measured
    .filter(({ outcome }) => outcome.endsWith('54001'))
    .map(({ name, steps, message }) => `${name} (${steps}: ${message.slice(0, 40)})`)
  return [
    `${printer}: ${measured.length} statements: ${[...outcomes].map(([outcome, count]) => `${outcome}: ${count}`).join(', ')}`,
    `  ms: half below ${at(0.5)}, 99 % below ${at(0.01)}, all below ${at(0)}; planned and over 50 ms: ${measured.filter(({ ms, outcome }) => ms > 50 && outcome === 'planned').length}`,
    ...lines,
    `  too complex (${refused.length}): ${refused.join('; ')}`,
  ].join('\n')
}
