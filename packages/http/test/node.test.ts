/** The app on Node's HTTP. */
import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Log } from '@engine/core'
import { toNodeHandler } from '@engine/http/node'
import { afterEach, expect, test } from 'vitest'
import { json, openGateway, type TestGateway } from './support/open-gateway.ts'

let opened: TestGateway | undefined
let server: Server | undefined

afterEach(async () => {
  server?.closeAllConnections()
  server?.close()
  await opened?.close()
  opened = undefined
  server = undefined
})

async function listen(listener: RequestListener): Promise<number> {
  server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const statement = {
  method: 'POST',
  headers: json,
  body: JSON.stringify({ sql: 'select 1', params: [], method: 'all' }),
}

test('requests of a server of Node are answered, with the address of their connection', async () => {
  opened = await openGateway({ limits: { rateLimitPerIP: 10 } })
  const port = await listen(toNodeHandler(opened.gateway.app, { isDevelopment: false }))
  const response = await fetch(`http://127.0.0.1:${port}/data`, statement)
  expect(await response.json()).toEqual({ rows: [[1]] })
  expect(response.headers.get('ratelimit')).toContain('r=9')
})

test('globals of the process stay as they are', async () => {
  const { Request: ownRequest, Response: ownResponse } = globalThis
  opened = await openGateway()
  toNodeHandler(opened.gateway.app, { isDevelopment: false })
  expect(globalThis.Request).toBe(ownRequest)
  expect(globalThis.Response).toBe(ownResponse)
})

test('a host that read the body before gets an error, and its log says what to do', async () => {
  opened = await openGateway()
  const logged: string[] = []
  const note = (facts: object): void => void logged.push(String(Object.values(facts)))
  const log: Log = { debug: note, info: note, warn: note, error: note }
  const handle = toNodeHandler(opened.gateway.app, { isDevelopment: true, log })
  const port = await listen(async (incoming, outgoing) => {
    for await (const _ of incoming);
    handle(incoming, outgoing)
  })
  const response = await fetch(`http://127.0.0.1:${port}/data`, statement)
  expect(response.status).toBe(500)
  expect(await response.json()).toMatchObject({ error: 'INTERNAL_ERROR' })
  expect(logged.join()).toContain('express.json()')
})

test('a request without a usable host is answered in the shape of all errors', async () => {
  opened = await openGateway()
  const port = await listen(toNodeHandler(opened.gateway.app, { isDevelopment: false }))
  const socket = connect(port, '127.0.0.1')
  socket.end('GET /health/live HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n')
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  expect(text).toMatch(/^HTTP\/1\.1 400 /)
  expect(text).toContain('"error":"BAD_REQUEST"')
  expect(text.toLowerCase()).toContain('x-request-id: ')
})
