/** @module Signing in with the master key, and out. Scripts send the key itself instead. */
import type { AdminApi, AdministratorSession } from '@engine/contract/admin-api'
import { GatewayError } from '@engine/core'
import { z } from 'zod'
import type { AdminAccess } from '../../administrators/admin-access.ts'
import {
  isBackground,
  removedCookie,
  requireOwnPage,
  sessionCookie,
  sessionToken,
} from '../../administrators/admin-cookie.ts'
import { isFromThisMachine } from '../../administrators/admin-links.ts'
import type { AdminSession } from '../../administrators/admin-sessions.ts'
import { unauthorized } from '../../admission/unauthorized.ts'
import { beforeDeadline, deadlines } from '../../request/deadline.ts'
import type { Call } from '../../route-handler.ts'
import type { AdminOptions } from './admin-options.ts'
import {
  type AddRoutes,
  type AnswerOf,
  json,
  jsonText,
  readBody,
  readQuery,
  recordedChange,
} from './admin-route.ts'

type SignedIn = AdminApi['POST /sign-in']

const signInInput = z.strictObject({ masterKey: z.string().min(1).max(8_192) })

const linkInput = z.strictObject({ token: z.string().min(1).max(200) })

export function addSessionRoutes(
  add: AddRoutes,
  addOpen: AddRoutes,
  access: AdminAccess,
  options: AdminOptions,
): void {
  const { sessions, links } = options
  const opened = async (call: Call, credential: 'key' | 'link'): Promise<AnswerOf<SignedIn>> => {
    const { token, session } = await recordedChange(options, call, 'admin-signed-in', async () => {
      const result = await sessions.open()
      return { result, facts: { session: result.session.id, credential } }
    })
    const headers = { 'Set-Cookie': sessionCookie(call.request, token) }
    return jsonText(JSON.stringify({ session: shown(session) } satisfies SignedIn), {
      status: 201,
      headers,
    })
  }
  addOpen('/admin/api/sign-in', {
    POST: async (call) => {
      access.checkAddress(call)
      requireOwnPage(call.request)
      const { masterKey } = await readBody(call, signInInput)
      await beforeDeadline(deadlines.identity, access.checkKey(call, masterKey))
      return opened(call, 'key')
    },
  })
  addOpen('/admin/api/sign-in/link', {
    POST: async (call) => {
      access.checkAddress(call)
      requireOwnPage(call.request)
      const { token } = await readBody(call, linkInput)
      if (!isFromThisMachine(call)) {
        throw new GatewayError(
          'permissionDenied',
          'A sign-in link is for the machine of the server.',
          {
            publicMessage: 'A sign-in link works on the machine of the server only.',
          },
        )
      }
      if (!links.use(token)) throw unauthorized('The sign-in link was used before, or is too old.')
      return opened(call, 'link')
    },
  })
  // The page asks for it before anybody has signed in: no session is an answer, not an error.
  addOpen('/admin/api/session', {
    GET: async (call) => {
      readQuery(call, z.strictObject({}))
      access.checkAddress(call)
      const token = sessionToken(call.request)
      if (token === undefined) return json({ session: null })
      requireOwnPage(call.request)
      const session = await sessions.find(token, !isBackground(call.request))
      return json({ session: session === undefined ? null : shown(session) })
    },
  })
  add('/admin/api/sign-out', {
    POST: async (call) => {
      const token = sessionToken(call.request)
      await recordedChange(options, call, 'admin-signed-out', async () => {
        if (token !== undefined) await sessions.end(token)
        return { result: undefined, facts: {} }
      })
      const headers = {
        'Set-Cookie': removedCookie(call.request),
        // The back button shows nothing that was seen before.
        'Clear-Site-Data': '"cache"',
      }
      return jsonText('{"success":true}', { headers })
    },
  })
}

/** Whoever has the master key is this one account. */
const account = 'admin'

function shown({ id, openedAtMs, idleUntilMs, untilMs }: AdminSession): AdministratorSession {
  const text = (ms: number) => new Date(ms).toISOString()
  return {
    id,
    account,
    openedAt: text(openedAtMs),
    idleUntil: text(idleUntilMs),
    until: text(untilMs),
  }
}
