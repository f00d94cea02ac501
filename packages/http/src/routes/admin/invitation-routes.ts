/** @module Invitations: people who may make an account. */
import type { Invitation } from '@engine/auth'
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
import { pageInput, readPage } from './page.ts'
import { rowFields } from './row-fields.ts'

/** Its parts are checked where the invitation is made. */
const newInvitation = z.strictObject({
  email: z.string().min(1).max(400),
  name: z.string().max(400).optional(),
  roles: z.array(z.string().min(1).max(100)).max(100).optional(),
  fields: rowFields.optional(),
  expiresIn: z.string().max(20).optional(),
})

const listInput = z.strictObject({ ...pageInput, search: z.string().max(200).optional() })

export function addInvitationRoutes(add: AddRoutes, options: AdminOptions): void {
  add('/admin/api/invitations', {
    GET: async (call) => {
      const { search, ...page } = readQuery(call, listInput)
      const admin = accounts(options)
      const { items, next } = await readPage(page, (range) =>
        admin.listInvitations(search === undefined ? range : { ...range, search }),
      )
      return json({ invitations: items, next })
    },
    POST: async (call) => {
      const admin = accounts(options)
      const input = await readBody(call, newInvitation)
      const invitation = await recordedChange(options, call, 'user-invited', async () => {
        const made = await admin.invite(input)
        return { result: made, facts: factsOf(made) }
      })
      return json({ invitation }, 201)
    },
  })
  add('/admin/api/invitations/:id', {
    DELETE: async (call, context) => {
      const admin = accounts(options)
      const id = pathParameter(context, 'id')
      await recordedChange(options, call, 'invitation-revoked', async () => {
        if (!(await admin.revokeInvitation(id))) throw notFound('invitation')
        return { result: undefined, facts: { id } }
      })
      return json({ success: true })
    },
  })
  add('/admin/api/invitations/:id/resend', {
    POST: async (call, context) => {
      const admin = accounts(options)
      const id = pathParameter(context, 'id')
      const invitation = await recordedChange(options, call, 'invitation-resent', async () => {
        const sent = await admin.resendInvitation(id)
        if (sent === undefined) throw notFound('invitation')
        return { result: sent, facts: factsOf(sent) }
      })
      return json({ invitation })
    },
  })
}

/** Of the row, only the names of columns: their values are data. */
function factsOf({
  id,
  email,
  roles,
  fields,
  expiresAt,
}: Invitation): Readonly<Record<string, unknown>> {
  return { id, email, roles, fields: Object.keys(fields), expiresAt }
}
