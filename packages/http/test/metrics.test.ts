import { afterEach, expect, test } from 'vitest'
import { openGateway, type TestGateway } from './support/open-gateway.ts'

let opened: TestGateway | undefined

afterEach(async () => {
  await opened?.close()
  opened = undefined
})

async function lines(of: TestGateway): Promise<readonly string[]> {
  const response = await of.fetch('/metrics')
  expect(response.status).toBe(200)
  return (await response.text()).split('\n')
}

test('there are none unless they are asked for', async () => {
  opened = await openGateway()
  expect((await opened.fetch('/metrics')).status).toBe(404)
})

test('requests, statements, plans, errors, pools and the process are counted', async () => {
  opened = await openGateway({ metrics: { enabled: true } })
  await opened.query('select 1')
  await opened.query('select 1')
  await opened.query('selec')
  await opened.fetch('/nothing/here')
  const response = await opened.fetch('/metrics')
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const found = (await response.text()).split('\n')
  expect(found).toContain('engine_http_requests_total{method="POST",route="/data",status="200"} 2')
  expect(found).toContain('engine_http_requests_total{method="POST",route="/data",status="400"} 1')
  expect(found).toContain(
    'engine_http_requests_total{method="GET",route="unmatched",status="404"} 1',
  )
  expect(found).toContain(
    'engine_http_request_duration_seconds_count{method="POST",route="/data"} 3',
  )
  expect(found).toContain(
    'engine_statement_duration_seconds_count{connection="main",outcome="ok"} 2',
  )
  expect(found).toContain('engine_plan_duration_seconds_count{outcome="ok"} 1')
  expect(found).toContain('engine_plan_duration_seconds_count{outcome="BAD_REQUEST"} 1')
  expect(found).toContain('engine_errors_total{code="BAD_REQUEST"} 1')
  expect(found).toContain('engine_errors_total{code="NOT_FOUND"} 1')
  expect(found).toContainEqual(
    expect.stringMatching(/^engine_pool_connections\{connection="main",state="idle"\} [1-9]/),
  )
  for (const name of ['engine_event_loop_delay_seconds', 'process_resident_memory_bytes']) {
    expect(found).toContainEqual(expect.stringMatching(new RegExp(`^${name}.* [0-9.e-]+$`)))
  }
})

test('what clients make up adds no series: paths, methods, parameters', async () => {
  opened = await openGateway({ metrics: { enabled: true } })
  await opened.fetch('/made/up/0')
  await opened.fetch('/made/up/0', { method: 'PROPFIND' })
  await lines(opened)
  const before = (await lines(opened)).length
  for (let i = 1; i <= 50; i += 1) {
    await opened.fetch(`/made/up/${i}`)
    await opened.fetch(`/made/up/${i}`, { method: `X-${i}` })
  }
  expect((await lines(opened)).length).toBe(before)
})

test('with an internal port they are there, and not on the public one', async () => {
  opened = await openGateway({ internal: { port: 0 } })
  expect((await opened.fetch('/metrics')).status).toBe(404)
  const { internalApp } = opened.gateway
  const metrics = await internalApp?.request('/metrics')
  expect(await metrics?.text()).toContain('engine_http_requests_total')
  const ready = await internalApp?.request('/health/ready')
  expect(await ready?.json()).toMatchObject({ status: 'ready', connections: { main: true } })
  expect((await internalApp?.request('/data', { method: 'POST' }))?.status).toBe(404)
})
