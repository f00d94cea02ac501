/** @module Rights of callers, and their reasons: matrix, explanation, simulation. */
import { methods } from '@engine/contract'
import { z } from 'zod'
import { jsonAnswer } from '../../answer.ts'
import type { AdminOptions } from './admin-options.ts'
import { type AddRoutes, json, readBody, readQuery, recordedChange } from './admin-route.ts'
import { simulationText } from './simulation-text.ts'
import { callerOf, subjectFacts, subjectInput } from './subject.ts'

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
  const { engine, provider } = options
  add('/admin/api/permissions/matrix', {
    GET: async (call) => {
      readQuery(call, z.strictObject({}))
      return json(engine.permissionMatrix())
    },
  })
  add('/admin/api/explain', {
    POST: async (call) => {
      const { sql, params, redactValues, databasePlan, ...subject } = await readBody(
        call,
        explainInput,
      )
      const caller = await callerOf(subject, provider, call)
      const explanation = await recordedChange(options, call, 'explain', async () => ({
        result: await engine.explain({ sql, params }, caller, { redactValues, databasePlan }),
        facts: { sql, as: subjectFacts(caller) },
      }))
      return json(explanation)
    },
  })
  add('/admin/api/simulate', {
    POST: async (call) => {
      const { sql, params, method, ...subject } = await readBody(call, simulateInput)
      const caller = await callerOf(subject, provider, call)
      const { signal } = call.request
      const simulation = await recordedChange(options, call, 'simulate', async () => {
        const result = await engine.simulate({ sql, params, method, caller }, { signal })
        return { result, facts: { sql, as: subjectFacts(caller), outcome: result.outcome } }
      })
      return jsonAnswer(simulationText(simulation), { status: 200 })
    },
  })
}
