/** @module Dates and times in thousands of spellings, read as PostgreSQL reads them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dateSpellings } from './date-spellings.ts'
import { describeCatalogVersion, type Oracle, openOracle } from './sql-types-oracle.ts'

const types = ['date', 'timestamp', 'timestamptz', 'time', 'timetz', 'timestamp(2)', 'time(1)']

await describeCatalogVersion('dates and times in any spelling', () => {
  let oracle: Oracle
  beforeAll(async () => {
    oracle = await openOracle()
  })
  afterAll(() => oracle.close())

  test.each(types)('%s', async (typeText) => {
    const type = await oracle.typeNamed(typeText)
    const literals = dateSpellings()
    expect(literals.length).toBeGreaterThan(4000)
    const theirs = await oracle.readAll(typeText, literals)
    let unknownZones = 0
    const differences = literals.flatMap((literal, i) => {
      const read = oracle.types.parseInput(type.oid, type.typmod, literal, 'explicit')
      const ours = read.ok ? String(read.value) : read.sqlState
      const their = theirs[i]
      const expected = their?.ok ? their.text : their?.sqlState
      // Zones with rules of their own: `est10pm`, `p.m.+01:x`.
      if (ours === '22023' && ours !== expected) {
        unknownZones += 1
        return []
      }
      return ours === expected ? [] : [`${literal}: ${ours}, PostgreSQL ${expected}`]
    })
    expect(differences).toEqual([])
    expect(unknownZones).toBeLessThan(literals.length / 50)
  })
})
