/** @module Spans by the OpenTelemetry API: no spans unless the application has registered an SDK. */

import type { Observe } from '@engine/core'
import {
  context as activeContext,
  type Context,
  ProxyTracerProvider,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { IncomingHeaders } from '../request/incoming-request.ts'
import type { RequestContext } from '../response/answer-calls.ts'

export interface Tracing {
  /** A span for each request, as a child of its `traceparent`. */
  readonly context: RequestContext
  /** A child span for each stage of each statement. */
  readonly observe: Observe
}

const name = '@engine/http'

/** The tracer that the API returns while no SDK is registered. */
const nothing = new ProxyTracerProvider().getDelegate()

function registeredTracer(): Tracer | undefined {
  const provider = trace.getTracerProvider()
  const isProxy = provider instanceof ProxyTracerProvider
  return isProxy && provider.getDelegate() === nothing ? undefined : provider.getTracer(name)
}

const headerGetter: TextMapGetter<IncomingHeaders> = {
  get: (headers, key) => headers.get(key) ?? undefined,
  keys: (headers) => [...headers.keys()],
}

/**
 * An SDK must be registered before this call, as `node --import ./telemetry.mjs` does.
 *
 * @returns undefined without an SDK: then requests have no overhead.
 */
export function createTracing(): Tracing | undefined {
  const tracer = registeredTracer()
  if (tracer === undefined) return undefined
  return {
    context: (call, place, answer) => {
      const parent = propagation.extract(activeContext.active(), call.request.headers, headerGetter)
      const { method, route } = place()
      const attributes = {
        'http.request.method': method,
        'http.route': route,
        'engine.correlation_id': call.correlationId,
      }
      const options = { kind: SpanKind.SERVER, attributes }
      return within(tracer.startSpan(`${method} ${route}`, options, parent), parent, answer)
    },
    observe: ({ stage, connection, startMs, endMs, error }) => {
      const attributes = {
        ...(connection === undefined ? {} : { 'engine.connection': connection }),
        ...(error === undefined ? {} : { 'error.type': error }),
      }
      const span = tracer.startSpan(`engine.${stage}`, { attributes, startTime: epochMs(startMs) })
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end(epochMs(endMs))
    },
  }
}

async function within<Sent extends { readonly status: number }>(
  span: Span,
  parent: Context,
  answer: () => Promise<Sent>,
): Promise<Sent> {
  try {
    const response = await activeContext.with(trace.setSpan(parent, span), answer)
    span.setAttribute('http.response.status_code', response.status)
    if (response.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    return response
  } finally {
    span.end()
  }
}

/** Converts `performance.now()` to milliseconds since 1970. */
function epochMs(nowMs: number): number {
  return performance.timeOrigin + nowMs
}
