import { badInputCases, runBadInput } from '@engine/corpus'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openGateway, type TestGateway } from '../support/gateway.ts'
import { createSqliteShop, type SqliteShop } from '../support/shop.ts'

let gateway: TestGateway
let shop: SqliteShop

beforeAll(async () => {
  shop = createSqliteShop()
  gateway = await openGateway({ connections: { main: shop.path } })
})
afterAll(async () => {
  await gateway?.close()
  shop?.remove()
})

test.each(
  badInputCases.map((badInput) => ({ id: `${badInput.group}: ${badInput.name}`, badInput })),
)('$id', async ({ badInput }) => {
  const findings = await runBadInput(
    { post: (body, headers) => gateway.post('/data', body, headers) },
    [badInput],
  )
  expect(findings).toEqual([])
})
