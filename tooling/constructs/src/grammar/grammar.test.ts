import { loadModule, parseSync } from 'libpg-query'
import { beforeAll, expect, test } from 'vitest'
import { grammarClauses } from './chapters.ts'
import { readGrammar } from './grammar-parts.ts'
import { neverParsed, ofDefinitions, parameters, withoutClause } from './without-clause.ts'

const grammar = readGrammar()
const found = new Set<string>()
beforeAll(async () => {
  await loadModule()
  for (const { sql } of grammarClauses) {
    for (const { stmt } of parseSync(sql).stmts ?? []) {
      for (const part of grammar.partsIn(stmt)) found.add(part)
    }
  }
})

test('every kind of node has a statement', () => {
  const known = new Set([...neverParsed, ...ofDefinitions, ...parameters])
  expect(grammar.kinds.length).toBeGreaterThan(250)
  expect(grammar.kinds.filter((kind) => !found.has(kind) && !known.has(kind))).toEqual([])
})

test('every field of a node in a query or write has a statement, and every word that it may be', () => {
  const kinds = grammar.kinds.filter((kind) => found.has(kind) && !isOfDefinitions(kind))
  const parts = kinds.flatMap((kind) => grammar.partsOf(kind))
  expect(parts.length).toBeGreaterThan(200)
  expect(parts.filter((part) => !found.has(part) && !withoutClause.has(part))).toEqual([])
})

test('no exception stands for something that has a statement', () => {
  expect([...withoutClause, ...neverParsed].filter((part) => found.has(part))).toEqual([])
})

/** Fields of definitions are the database's affair: their statements are refused as a whole. */
function isOfDefinitions(kind: string): boolean {
  const isQuery = /^(?:Select|Insert|Update|Delete|Merge)Stmt$/.test(kind)
  return ofDefinitions.includes(kind) || (kind.endsWith('Stmt') && !isQuery)
}
