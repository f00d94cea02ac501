/** @module What owners do with invitations. The organisation is always that of the caller: no input names one. */
import { type ActionContext, defineAction, GatewayError } from '@engine/core'
import { z } from 'zod'

const invitation = z.object({
  id: z.string(),
  email: z.string(),
  role: z.string(),
  expiresAt: z.string(),
})

export const invite = defineAction({
  description: 'Mails an invitation to the organisation of the caller.',
  roles: ['owner'],
  // The roles that an owner may give.
  input: z.object({ email: z.string(), role: z.enum(['member', 'owner']) }),
  run: async (context, { email, role }) => {
    const scope = organisationOf(context)
    const fields = { organisation_id: scope, role }
    await context.accounts.invite({ scope, email, fields })
    return undefined
  },
})

export const invitations = defineAction({
  description: 'Those of the organisation that are not accepted yet.',
  roles: ['owner'],
  input: z.object({}),
  output: z.array(invitation),
  run: async (context) => {
    const list = await context.accounts.listInvitations({ scope: organisationOf(context) })
    return list.map(({ id, email, fields, expiresAt }) => ({
      id,
      email,
      role: String(fields['role']),
      expiresAt,
    }))
  },
})

export const revokeInvitation = defineAction({
  description: 'Ends an invitation of the organisation.',
  roles: ['owner'],
  input: z.object({ id: z.string() }),
  run: async (context, { id }) => {
    const isRevoked = await context.accounts.revokeInvitation({
      scope: organisationOf(context),
      id,
    })
    if (!isRevoked) throw new GatewayError('notFound', 'There is no such invitation.')
    return undefined
  },
})

function organisationOf({ user }: ActionContext): string {
  const id = user.fields['organisation_id']
  if (typeof id !== 'string')
    throw new GatewayError('permissionDenied', 'You have no organisation.')
  return id
}
