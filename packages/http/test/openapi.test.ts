import { defineAction } from '@engine/core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterEach, expect, test } from 'vitest'
import { z } from 'zod'
import { json, openGateway, type TestGateway } from './support/open-gateway.ts'

let opened: TestGateway | undefined

afterEach(async () => {
  await opened?.close()
  opened = undefined
})

interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly security: readonly object[]
  readonly responses: Readonly<Record<string, unknown>>
  readonly requestBody?: unknown
}

const secret = 'a secret of at least thirty-two bytes!'
const tree = z.object({
  name: z.string(),
  get children() {
    return z.array(tree)
  },
})
const actions = {
  'plant-trees': defineAction({
    roles: ['*'],
    input: z.object({ count: z.int().min(1), tree }),
    output: z.object({ planted: z.int() }),
    run: (_, { count }) => ({ planted: count }),
  }),
}

async function documentOf(
  of: TestGateway,
  headers: Readonly<Record<string, string>> = {},
): Promise<Document> {
  const response = await of.fetch('/openapi.json', { headers })
  expect(response.status).toBe(200)
  return (await response.json()) as Document
}

async function expectValid(document: Document): Promise<void> {
  const result = await new Validator().validate({ ...document })
  expect(result).toMatchObject({ valid: true })
  expect(document.openapi).toBe('3.1.0')
}

test('an open gateway has data and health, without credentials', async () => {
  opened = await openGateway()
  const document = await documentOf(opened)
  await expectValid(document)
  expect(Object.keys(document.paths)).toEqual([
    '/data',
    '/data/batch',
    '/health/live',
    '/health/ready',
  ])
  expect(document.paths['/data']?.['post']?.security).toEqual([])
})

test('with accounts there is /auth, and /data wants a bearer token', async () => {
  opened = await openGateway({ auth: { secret } })
  const document = await documentOf(opened)
  await expectValid(document)
  expect(Object.keys(document.paths)).toContain('/auth/sign-up')
  expect(document.paths['/data']?.['post']?.security).toEqual([{ bearer: [] }])
  expect(document.paths['/auth/sign-in']?.['post']?.security).toEqual([])
  expect(document.paths['/auth/session']?.['get']?.security).toEqual([{ bearer: [] }])
})

test('every route that it names is there', async () => {
  opened = await openGateway({ auth: { secret }, schemaEndpoint: true, actions })
  const { paths } = await documentOf(opened)
  for (const [path, methods] of Object.entries(paths)) {
    for (const method of Object.keys(methods)) {
      const response = await opened.fetch(path, { method: method.toUpperCase() })
      expect(response.status, `${method} ${path}`).not.toBe(404)
      expect(response.status, `${method} ${path}`).not.toBe(405)
    }
  }
})

test('every status that a request is answered with is in it', async () => {
  opened = await openGateway({ auth: { secret }, schemaEndpoint: true, actions })
  const { paths } = await documentOf(opened)
  const bodies: readonly RequestInit[] = [
    {},
    { headers: json, body: '{' },
    { headers: json, body: '{}' },
    { headers: { ...json, 'content-encoding': 'gzip' }, body: '{}' },
    { headers: { 'content-type': 'text/plain' }, body: '{}' },
    { headers: json, body: JSON.stringify('x'.repeat(1_100_000)) },
    { headers: { ...json, authorization: 'Bearer a.b.c' }, body: '{}' },
  ]
  for (const [path, methods] of Object.entries(paths)) {
    for (const [name, { responses }] of Object.entries(methods)) {
      const method = name.toUpperCase()
      for (const { body, ...init } of bodies) {
        const sent = method === 'POST' && body !== undefined ? { ...init, body } : init
        const { status, headers } = await opened.fetch(path, { method, ...sent })
        expect(Object.keys(responses), `${method} ${path}`).toContain(String(status))
        const tag = headers.get('etag')
        if (tag === null) continue
        const again = await opened.fetch(path, { method, headers: { 'if-none-match': tag } })
        expect(Object.keys(responses), `${method} ${path}`).toContain(String(again.status))
      }
    }
  }
})

test('actions are described only to clients that may read the schema', async () => {
  const token = 'the token of the schema'
  opened = await openGateway({ schemaEndpoint: { enabled: true, token }, actions })
  const shown = await documentOf(opened, { authorization: `Bearer ${token}` })
  await expectValid(shown)
  expect(JSON.stringify(shown.paths['/actions/plant-trees'])).toContain('planted')
  for (const headers of [{}, { authorization: 'Bearer something else' }]) {
    const hidden = await documentOf(opened, headers)
    await expectValid(hidden)
    expect(Object.keys(hidden.paths)).toContain('/actions/{name}')
    expect(JSON.stringify(hidden)).not.toContain('plant')
  }
})

test('it has a tag, and is not sent again to who has it', async () => {
  opened = await openGateway()
  const first = await opened.fetch('/openapi.json')
  const tag = first.headers.get('etag') ?? ''
  const second = await opened.fetch('/openapi.json', { headers: { 'if-none-match': tag } })
  expect([second.status, await second.text()]).toEqual([304, ''])
})
