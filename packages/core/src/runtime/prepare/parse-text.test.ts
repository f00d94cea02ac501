import { beforeAll, expect, test } from 'vitest'
import { loadParser } from '../../compiler/sql/parse.ts'
import { GatewayError } from '../../foundation/errors.ts'
import { runSteps } from '../../foundation/steps.ts'
import { parseText } from './parse-text.ts'

beforeAll(loadParser)

function errorOf(sql: string): GatewayError {
  try {
    runSteps(parseText(sql))
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
  throw new Error(`${sql} has no syntax error`)
}

const hint = '; parameters are written $1, $2, not ?'

test('the message for a ? as a value has the error of the parser first, then the way to write parameters', () => {
  const error = errorOf('select * from orders where id=?')
  expect(error.message).toBe(`syntax error at end of input (position 32)${hint}`)
  expect(error).toMatchObject({
    publicMessage: error.message,
    code: 'BAD_REQUEST',
    sqlState: '42601',
    position: 32,
  })
})

test.each([
  'select * from orders where id = ?',
  'select * from orders where id = ? and total > 1',
  'select * from orders where id in (?, ?)',
  'select * from orders where name like ? order by id',
  'select * from orders limit ? offset ?',
  'insert into orders (id, total) values (?, ?)',
  'update orders set total = ? where id = 1',
  'delete from orders where id = /* the key */ ?;',
])('%s is answered with the way to write parameters', (sql) => {
  expect(errorOf(sql).message).toContain(hint)
})

test.each([
  "select * from orders where note = '?' and",
  'select * from orders where "?" = 1 and',
  'select * from orders where id = 1 and -- = ?',
  'select * from orders where id = 1 and /* = ? */',
  "select * from orders where tags ? 'red' and",
  "select * from orders where tags ?| array['red'] and",
  "select * from orders where tags @? '$.red' and",
  'selct 1',
])('%s is answered with the error of the parser alone', (sql) => {
  expect(errorOf(sql).message).not.toContain('$1')
})

test('a statement with the operator ? is parsed', () => {
  expect(runSteps(parseText("select * from orders where tags ? 'red'")).parameterCount).toBe(0)
})
