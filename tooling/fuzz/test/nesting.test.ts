import { describe, expect, test } from 'vitest'
import { createPlanner, type Planned } from '../src/nesting/planner.ts'
import { printers } from '../src/nesting/printers.ts'
import { narrowStatements } from '../src/nesting/worst-statements.ts'

/** Those that translate most: a statement goes to one of the two. CSV and libSQL use the SQLite printer, MySQL almost that of MariaDB. */
const halves: Readonly<Record<string, number>> = { SQLite: 0, MariaDB: 1 }

/** `NESTING=every` gives every statement to every printer. */
function isGiven(printer: string, statement: number): boolean {
  if (process.env['NESTING'] === 'every') return true
  const half = halves[printer]
  return half === undefined ? statement % 5 === 0 : statement % 2 === half
}

/** Planned, or refused with a reason: never a server error, and never more work than the budget. */
describe.each(printers)('the worst statements on $name', (printer) => {
  test('take no more steps than they may', async () => {
    const statements = narrowStatements(7, 60).filter((_, i) => isGiven(printer.name, i))
    const planner = await createPlanner(printer)
    const faults: string[] = []
    const outcomes = new Map<string, number>()
    try {
      for (const { name, sql } of statements) {
        const planned: Planned = await planner.plan(sql)
        const { outcome, steps } = planned
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
        // Every node of a syntax tree has at least one character.
        const most = 300_000 + 60 * sql.length
        if (outcome === 'planned' ? steps > most : !/^4\d\d /.test(outcome)) {
          faults.push(`${name}: ${outcome}, ${steps} steps`)
        }
      }
    } finally {
      await planner.close()
    }
    expect(faults).toEqual([])
    // A generator whose statements are all refused would prove nothing.
    expect(outcomes.get('planned')).toBeGreaterThan(statements.length / 20)
  }, 600_000)
})

test('twenty calls inside each other are planned where they are printed', async () => {
  const nested = (seed: string, wrap: (inner: string) => string) => {
    let expression = seed
    for (let level = 0; level < 20; level += 1) expression = wrap(expression)
    return `select ${expression} from item as t`
  }
  const statements = [
    nested('t.c_int4', (x) => `nullif(${x}, 4)`),
    nested('t.c_int4', (x) => `(${x} + t.c_int4)`),
    nested('t.c_int4', (x) => `abs(${x})`),
    nested('t.c_int4', (x) => `(${x} / t.c_int4)`),
    `select ${Array.from({ length: 12 }, () => 't.c_int4').join(' + ')} from item as t`,
    `select ${Array.from({ length: 100 }, () => 't.c_int4').join(' + ')} from item as t`,
  ]
  for (const printer of printers.filter(
    ({ name }) => /SQL(ite)?$|CSV/.test(name) && !/My/.test(name),
  )) {
    const planner = await createPlanner(printer)
    try {
      for (const sql of statements) {
        expect(await planner.plan(sql), `${printer.name}: ${sql}`).toMatchObject({
          outcome: 'planned',
        })
      }
    } finally {
      await planner.close()
    }
  }
})
