import { describe, expect, test } from 'vitest'
import { suites } from './suites.ts'

describe.each(suites)('$name', ({ programs }) => {
  test('has many programs, and many that write', () => {
    expect(programs.length).toBeGreaterThan(80)
    expect(programs.filter((program) => program.mutates).length).toBeGreaterThan(15)
  })

  test('gives every program a name of its own', () => {
    const names = programs.map((program) => program.name)
    expect(names).toEqual([...new Set(names)])
  })
})
