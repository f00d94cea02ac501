import { context, propagation, SpanKind, trace } from '@opentelemetry/api'
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openGateway, type TestGateway } from './support/open-gateway.ts'

let exporter: InMemorySpanExporter
let opened: TestGateway | undefined
let provider: NodeTracerProvider

beforeEach(() => {
  exporter = new InMemorySpanExporter()
  provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
})
afterEach(async () => {
  await opened?.close()
  opened = undefined
  await provider.shutdown()
  trace.disable()
  context.disable()
  propagation.disable()
})

const named = (name: string): ReadableSpan | undefined =>
  exporter.getFinishedSpans().find((span) => span.name === name)

const traceId = '0af7651916cd43dd8448eb211c80319c'
const parentId = 'b7ad6b7169203331'

test('a request is a span under the trace that it came with; its stages are its children', async () => {
  provider.register()
  opened = await openGateway()
  exporter.reset()
  const response = await opened.query('select 1', {
    traceparent: `00-${traceId}-${parentId}-01`,
    'x-request-id': 'request-7',
  })
  expect(response.status).toBe(200)
  const request = named('POST /data')
  expect(request?.kind).toBe(SpanKind.SERVER)
  expect(request?.spanContext().traceId).toBe(traceId)
  expect(request?.parentSpanContext?.spanId).toBe(parentId)
  expect(request?.attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/data',
    'http.response.status_code': 200,
    'engine.correlation_id': 'request-7',
  })
  for (const stage of ['plan', 'parse', 'bind', 'authorize', 'compile', 'execute']) {
    const span = named(`engine.${stage}`)
    expect(span?.parentSpanContext?.spanId, stage).toBe(request?.spanContext().spanId)
    expect(span?.ended).toBe(true)
  }
  expect(named('engine.execute')?.attributes).toEqual({ 'engine.connection': 'main' })
})

test('a refused statement says with which code, and nothing of its text', async () => {
  provider.register()
  opened = await openGateway()
  exporter.reset()
  await opened.query('select secret_column from main.nothing_there')
  expect(named('engine.plan')?.attributes['error.type']).toBe('TABLE_NOT_FOUND')
  expect(named('POST /data')?.attributes['http.response.status_code']).toBe(404)
  const told = exporter
    .getFinishedSpans()
    .map(({ name, attributes, events, status }) => ({ name, attributes, events, status }))
  expect(JSON.stringify(told)).not.toContain('secret_column')
})

test('without an SDK there are no spans, and nothing is in the way of a request', async () => {
  opened = await openGateway()
  provider.register()
  expect((await opened.query('select 1')).status).toBe(200)
  expect(exporter.getFinishedSpans()).toEqual([])
})
