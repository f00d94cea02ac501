/** @module Rights of callers, and their reasons: matrix, explanation, simulation. */
import { methods } from '@engine/contract'
import { z } from 'zod'
import type { AdminOptions } from './admin-options.ts'
import {
  type AddRoutes,
  json,
  jsonText,
  readBody,
  readQuery,
  recordedChange,
} from './admin-route.ts'
import { withDetails } from './config-request.ts'
import { simulationText } from './simulation-text.ts'
import { asFacts, subjectInput, subjectOf } from './subject.ts'

const statement = {
  sql: z.string(),
  params: z.array(z.unknown()).default([]),
  ...subjectInput,
}

const explainInput = z.strictObject({
  ...statement,
  redactValues: z.boolean().default(false),
  databasePlan: z.boolean().default(false),
})

const simulateInput = z.strictObject({ ...statement, method: z.enum(methods).default('all') })

/** All are recorded: they show an administrator what a caller would see. */
export function addPermissionRoutes(add: AddRoutes, options: AdminOptions): void {
  const { engine } = options
  add('/admin/api/permissions/matrix', {
    GET: async (call) => {
      readQuery(call, z.strictObject({}))
      return json(engine.permissionMatrix())
    },
  })
  add('/admin/api/explain', {
    POST: withDetails(async (call) => {
      const { sql, params, redactValues, databasePlan, ...asked } = await readBody(
        call,
        explainInput,
      )
      const subject = await subjectOf(asked, options, call)
      const explanation = await recordedChange(options, call, 'explain', async () => ({
        result: await engine.explain({ sql, params }, subject.caller, {
          redactValues,
          databasePlan,
        }),
        facts: { sql, as: subject.facts },
      }))
      const { caller, mayLackClaims } = subject
      return json({ ...explanation, subject: { ...asFacts(caller), mayLackClaims } })
    }),
  })
  add('/admin/api/simulate', {
    POST: withDetails(async (call) => {
      const { sql, params, method, ...asked } = await readBody(call, simulateInput)
      const subject = await subjectOf(asked, options, call)
      const { signal } = call.request
      const { caller } = subject
      const simulation = await recordedChange(options, call, 'simulate', async () => {
        const result = await engine.simulate({ sql, params, method, caller }, { signal })
        return { result, facts: { sql, as: subject.facts, outcome: result.outcome } }
      })
      return jsonText(simulationText(simulation))
    }),
  })
}
