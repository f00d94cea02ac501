import { beforeAll, expect, test } from 'vitest'
import { loadParser, parseStatement } from '../sql/parse.ts'
import { measureSyntax } from './syntax-shape.ts'

beforeAll(loadParser)

test('the conditions and clauses of MERGE are counted as the client wrote them', () => {
  const { statement } = parseStatement(
    `merge into t using s on t.a = s.a and t.b = s.b
      when matched and (s.c > 1 or not s.d) then delete when not matched then insert (a) values (s.a)`,
  )
  expect(measureSyntax(statement)).toMatchObject({
    filterConditions: 4,
    filterNesting: 2,
    fromItems: 1,
    whenClauses: 2,
  })
})
