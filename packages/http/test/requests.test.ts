/** Requests that every route refuses before it does any work. */
import { afterEach, expect, test } from 'vitest'
import { json, openGateway, type TestGateway } from './support/open-gateway.ts'

const secret = 'a secret of at least thirty-two bytes!'

let opened: TestGateway | undefined

afterEach(async () => {
  await opened?.close()
  opened = undefined
})

test('other methods than a route has are 405 and name those that it has', async () => {
  opened = await openGateway({ metrics: { enabled: true }, schemaEndpoint: true })
  const routes = [
    ['GET', '/data', 'POST'],
    ['DELETE', '/data/batch', 'POST'],
    ['GET', '/actions/any', 'POST'],
    ['POST', '/schema', 'GET, HEAD'],
    ['POST', '/openapi.json', 'GET, HEAD'],
    ['PUT', '/health/live', 'GET, HEAD'],
    ['POST', '/health/ready', 'GET, HEAD'],
    ['POST', '/metrics', 'GET, HEAD'],
  ] as const
  for (const [usual, path, allowed] of routes) {
    for (const method of [usual, 'OPTIONS', 'PROPFIND', 'QUERY']) {
      const response = await opened.fetch(path, { method })
      const { status, headers } = response
      expect([method, path, status, headers.get('allow')]).toEqual([method, path, 405, allowed])
      expect(await response.json()).toMatchObject({ error: 'BAD_REQUEST' })
    }
  }
})

test('a body that is too large is 413 wherever it is sent, announced or not', async () => {
  opened = await openGateway({ auth: { secret }, limits: { maxRequestBodySize: '1kb' } })
  const email = `${'x'.repeat(2_000)}@example.com`
  const body = JSON.stringify({ email, password: 'a good password 99' })
  for (const path of ['/auth/sign-up', '/auth/sign-in', '/auth/forgot-password']) {
    for (const announced of [{ 'content-length': String(body.length) }, {}]) {
      const headers = { ...json, ...announced }
      const response = await opened.fetch(path, { method: 'POST', headers, body })
      expect([path, response.status]).toEqual([path, 413])
      expect(await response.json()).toMatchObject({ error: 'PAYLOAD_TOO_LARGE' })
    }
  }
})
