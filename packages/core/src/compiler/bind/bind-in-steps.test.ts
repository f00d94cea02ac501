import { beforeAll, expect, test } from 'vitest'
import { createShop } from '../permissions/test-support/shop.ts'
import { loadParser, parseStatement } from '../sql/parse.ts'
import { bindInSteps, bindStatement } from './bind.ts'
import { fullAccessView } from './scope/full-access-view.ts'

beforeAll(loadParser)

const repeat = (part: string, separator: string) => Array(50).fill(part).join(separator)

test.each([
  ['outputs', `select ${repeat('id + 1', ', ')} from main.orders`],
  ['members of a set operation', repeat('select id from main.orders', ' union all ')],
])('%s are bound in steps of their own, to the same statement', (_, sql) => {
  const parsed = parseStatement(sql)
  const options = {
    catalog: createShop().catalog,
    view: fullAccessView,
    parameterCount: 0,
  }
  const steps = bindInSteps(parsed, options)
  let count = 0
  let step = steps.next()
  for (; step.done !== true; step = steps.next()) count += 1
  expect(count).toBeGreaterThanOrEqual(50)
  expect(step.value).toEqual(bindStatement(parsed, options))
})
