import { defineAction, GatewayError } from '@engine/core'
import { z } from 'zod'

/** The second step of a sign-up: an organisation, and its first owner. */
export const createOrganisation = defineAction({
  description: 'Makes an organisation, owned by the caller, who has none yet.',
  roles: ['newcomer'],
  input: z.object({ name: z.string().trim().min(1).max(100) }),
  output: z.object({ id: z.string() }),
  run: async ({ db, user }, { name }) =>
    db.transaction().execute(async (transaction) => {
      const { id } = await transaction
        .insertInto('main.organisations')
        .values({ name })
        .returning('id')
        .executeTakeFirstOrThrow()
      // The condition decides, also for two requests at once: the second one changes no row.
      const { numUpdatedRows } = await transaction
        .updateTable('main.users')
        .set({ organisation_id: id, role: 'owner' })
        .where('id', '=', user.fields['id'])
        .where('organisation_id', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) throw new GatewayError('conflict', 'You have an organisation.')
      return { id }
    }),
})
