/** @module Connections of the wire protocol: who is connected, stopping a statement, ending a connection. */
import type { SuccessResponse } from '@engine/contract'
import type { WireConnection } from '@engine/contract/admin-api'
import type { PgWireSession, PgWireSignal } from '@engine/core/session'
import type { Context } from 'hono'
import { z } from 'zod'
import type { Call } from '../../route-handler.ts'
import type { AdminOptions } from './admin-options.ts'
import {
  type AddRoutes,
  type AnswerOf,
  json,
  notFound,
  pathParameter,
  readQuery,
  recordedChange,
} from './admin-route.ts'

const nothing = z.strictObject({})

export function addWireRoutes(add: AddRoutes, options: AdminOptions): void {
  const { engine, siblings } = options
  const sessions = async (): Promise<readonly PgWireSession[]> =>
    siblings === undefined ? engine.pgWireSessions() : siblings.wireSessions()
  const stop = async (
    call: Call,
    context: Context,
    kind: 'cancel' | 'terminate',
    action: string,
  ): Promise<AnswerOf<SuccessResponse>> => {
    readQuery(call, nothing)
    const processId = numberOf(pathParameter(context, 'id'))
    const session = (await sessions()).find((each) => each.processId === processId)
    if (session === undefined) throw notFound('connection')
    const { caller, ip, applicationName } = session
    return recordedChange(options, call, action, async () => {
      const signal: PgWireSignal = { kind, processId, callerKey: undefined }
      const isSent = engine.signalPgWire(signal) || (await siblings?.pgWire.signal(signal)) === true
      if (!isSent) throw notFound('connection')
      const result = json<SuccessResponse>({ success: true })
      return { result, facts: { processId, caller, ip, applicationName } }
    })
  }
  add('/admin/api/wire-connections', {
    GET: async (call) => {
      readQuery(call, nothing)
      const all = await sessions()
      return json({
        isServed: engine.pgWireLoad() !== undefined,
        connections: all.toSorted((a, b) => a.startedAtMs - b.startedAtMs).map(shownSession),
      })
    },
  })
  add('/admin/api/wire-connections/:id', {
    DELETE: (call, context) => stop(call, context, 'terminate', 'wire-connection-ended'),
  })
  add('/admin/api/wire-connections/:id/cancel', {
    POST: (call, context) => stop(call, context, 'cancel', 'wire-statement-cancelled'),
  })
}

function shownSession({
  startedAtMs,
  sinceMs,
  processId,
  ...session
}: PgWireSession): WireConnection {
  return {
    id: processId,
    ...session,
    startedAt: new Date(startedAtMs).toISOString(),
    since: new Date(sinceMs).toISOString(),
  }
}

/** @throws {GatewayError} `notFound` for any text but a number. */
function numberOf(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw notFound('connection')
  return Number(text)
}
