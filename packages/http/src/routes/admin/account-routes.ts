/** @module Users, sessions, API keys, and mails that could not be sent by SMTP. */
import type { ApiKeyInput } from '@engine/auth'
import { GatewayError } from '@engine/core'
import { z } from 'zod'
import { accounts } from './accounts.ts'
import type { AdminOptions } from './admin-options.ts'
import {
  type AddRoutes,
  json,
  notFound,
  pathParameter,
  readBody,
  readQuery,
  recordedChange,
} from './admin-route.ts'
import { addInvitationRoutes } from './invitation-routes.ts'
import { pageInput, readPage } from './page.ts'
import { rowFields } from './row-fields.ts'

const roles = z.array(z.string().min(1).max(100)).max(100)

/** Its parts are checked where the key is created. */
const apiKeyInput = z.strictObject({
  name: z.string().min(1).max(200),
  roles,
  fields: z.record(z.string(), z.unknown()).optional(),
  userId: z.string().min(1).max(191).optional(),
  expiresAt: z.string().max(40).optional(),
})

const newUser = z.strictObject({
  email: z.string().min(1).max(400),
  name: z.string().max(400).optional(),
  roles: roles.optional(),
  verified: z.boolean().optional(),
  password: z.string().min(1).max(1_024).optional(),
  fields: rowFields.optional(),
})

const userChange = z
  .strictObject({ roles: roles.optional(), disabled: z.boolean().optional() })
  .refine((change) => change.roles !== undefined || change.disabled !== undefined, {
    error: 'expects roles, disabled, or both',
  })

const usersInput = z.strictObject({ ...pageInput, search: z.string().max(200).optional() })

const sessionsInput = z.strictObject({
  ...pageInput,
  userId: z.string().min(1).max(191).optional(),
})

const nothing = z.strictObject({})

export function addAccountRoutes(add: AddRoutes, options: AdminOptions): void {
  addApiKeyRoutes(add, options)
  addSessionRoutes(add, options)
  addUserRoutes(add, options)
  addInvitationRoutes(add, options)
  add('/admin/api/outbox', {
    GET: async (call) => {
      readQuery(call, nothing)
      const { outbox } = accounts(options)
      // An administrator who reads password-reset mails can take over any account.
      return recordedChange(options, call, 'outbox-read', async () => {
        const mails = await outbox()
        return { result: json({ mails }), facts: { mails: mails.length } }
      })
    },
  })
}

/** @throws {GatewayError} `notFound` (404) where the application's own provider handles all credentials. */
function apiKeys(options: AdminOptions): NonNullable<AdminOptions['apiKeys']> {
  if (options.apiKeys !== undefined) return options.apiKeys
  throw new GatewayError('notFound', 'There are no API keys: `auth` is a provider of its own here.')
}

function addApiKeyRoutes(add: AddRoutes, options: AdminOptions): void {
  add('/admin/api/api-keys', {
    GET: async (call) => {
      readQuery(call, nothing)
      return json({ apiKeys: await apiKeys(options).listApiKeys() })
    },
    POST: async (call) => {
      const admin = apiKeys(options)
      const input = (await readBody(call, apiKeyInput)) as ApiKeyInput
      const apiKey = await recordedChange(options, call, 'api-key-created', async () => {
        const created = await admin.createApiKey(input)
        const { key: _, ...facts } = created
        return { result: created, facts }
      })
      return json({ apiKey }, 201)
    },
  })
  add('/admin/api/api-keys/:id', {
    DELETE: async (call, context) => {
      const admin = apiKeys(options)
      const id = pathParameter(context, 'id')
      await recordedChange(options, call, 'api-key-revoked', async () => {
        if (!(await admin.revokeApiKey(id))) throw notFound('API key, or it is revoked already')
        return { result: undefined, facts: { id } }
      })
      return json({ success: true })
    },
  })
}

function addSessionRoutes(add: AddRoutes, options: AdminOptions): void {
  add('/admin/api/sessions', {
    GET: async (call) => {
      const { userId, ...page } = readQuery(call, sessionsInput)
      const admin = accounts(options)
      const { items, next } = await readPage(page, (range) =>
        admin.listSessions(userId === undefined ? range : { ...range, userId }),
      )
      return json({ sessions: items, next })
    },
  })
  add('/admin/api/sessions/:id', {
    DELETE: async (call, context) => {
      const admin = accounts(options)
      const id = pathParameter(context, 'id')
      await recordedChange(options, call, 'session-ended', async () => {
        if ((await admin.endSessions({ id })) === 0) throw notFound('session')
        return { result: undefined, facts: { id } }
      })
      return json({ success: true })
    },
  })
  add('/admin/api/users/:id/sessions', {
    DELETE: async (call, context) => {
      const admin = accounts(options)
      const userId = pathParameter(context, 'id')
      const ended = await recordedChange(options, call, 'sessions-ended', async () => {
        const count = await admin.endSessions({ userId })
        return { result: count, facts: { userId, ended: count } }
      })
      return json({ success: true, ended })
    },
  })
}

function addUserRoutes(add: AddRoutes, options: AdminOptions): void {
  add('/admin/api/users', {
    GET: async (call) => {
      const { search, ...page } = readQuery(call, usersInput)
      const admin = accounts(options)
      const { items, next } = await readPage(page, (range) =>
        admin.listUsers(search === undefined ? range : { ...range, search }),
      )
      return json({ users: items, next })
    },
    POST: async (call) => {
      const admin = accounts(options)
      const input = await readBody(call, newUser)
      const user = await recordedChange(options, call, 'user-created', async () => {
        const created = await admin.createUser(input)
        const { id, email, roles: given, emailVerified } = created
        const hasPassword = input.password !== undefined
        // Of the row, only the names of columns: their values are data.
        const columns = input.fields === undefined ? {} : { fields: Object.keys(input.fields) }
        const facts = { id, email, roles: given, emailVerified, hasPassword, ...columns }
        return { result: created, facts }
      })
      return json({ user }, 201)
    },
  })
  add('/admin/api/users/:id', {
    PATCH: async (call, context) => {
      const admin = accounts(options)
      const id = pathParameter(context, 'id')
      const { roles: newRoles, disabled } = await readBody(call, userChange)
      const change = {
        ...(newRoles === undefined ? {} : { roles: newRoles }),
        ...(disabled === undefined ? {} : { disabled }),
      }
      await recordedChange(options, call, 'user-updated', async () => {
        if (!(await admin.updateUser(id, change))) throw notFound('user')
        return { result: undefined, facts: { id, ...change } }
      })
      return json({ success: true })
    },
  })
  add('/admin/api/users/:id/reset', {
    POST: async (call, context) => {
      const admin = accounts(options)
      const id = pathParameter(context, 'id')
      await recordedChange(options, call, 'password-reset-started', async () => {
        if (!(await admin.startReset(id))) throw notFound('user')
        return { result: undefined, facts: { id } }
      })
      return json({ success: true })
    },
  })
}
