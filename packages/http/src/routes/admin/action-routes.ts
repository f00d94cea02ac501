/** @module Actions: what they are, and runs of them as a caller of choice. */
import { z } from 'zod'
import type { AdminOptions } from './admin-options.ts'
import {
  type AddRoutes,
  json,
  jsonText,
  pathParameter,
  readBody,
  readQuery,
  recordedChange,
} from './admin-route.ts'
import { withDetails } from './config-request.ts'
import { subjectInput, subjectOf } from './subject.ts'

/** Without `input`, the action gets none. */
const runInput = z.strictObject({ input: z.unknown().optional(), ...subjectInput })

export function addActionRoutes(add: AddRoutes, options: AdminOptions): void {
  const { engine, auth } = options
  add('/admin/api/actions', {
    GET: async (call) => {
      readQuery(call, z.strictObject({}))
      const { document } = await engine.describe()
      const actions = [...engine.settings.actions].map(([name, { roles, description }]) => ({
        name,
        roles,
        description: description ?? null,
        input: document.actions?.[name]?.input ?? {},
        output: document.actions?.[name]?.output ?? null,
      }))
      return json({ actions })
    },
  })
  add('/admin/api/actions/:name', {
    POST: withDetails(async (call, context) => {
      const name = pathParameter(context, 'name')
      const { input, ...asked } = await readBody(call, runInput)
      const subject = await subjectOf(asked, options, call)
      return recordedChange(options, call, 'action-run', async () => {
        const { correlationId, client } = call
        const origin = {
          correlationId,
          ip: client.ip,
          via: 'admin',
          credentialId: undefined,
          isByAdmin: true,
        }
        const accounts = auth?.forActions
        const request = { name, input, signal: call.signal(), origin, accounts }
        const output = await engine.callAction(request, subject.caller)
        const facts = { action: name, as: subject.facts }
        return { result: jsonText(`{"output":${output}}`), facts }
      })
    }),
  })
}
