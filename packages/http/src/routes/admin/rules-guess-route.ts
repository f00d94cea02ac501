import { z } from 'zod'
import type { AdminOptions } from './admin-options.ts'
import { type AddRoutes, json, notFound, readQuery } from './admin-route.ts'

const name = z.string().min(1).max(500)
const input = z.strictObject({
  connection: name,
  by: z.string().max(500).optional(),
  field: z
    .string()
    .max(500)
    .regex(/^\w+(?:\.\w+)*$/)
    .optional(),
})

export function addRulesGuessRoute(add: AddRoutes, { engine, guessRules }: AdminOptions): void {
  add('/admin/api/catalog/rules', {
    GET: async (call) => {
      const { connection, by, field } = readQuery(call, input)
      const found = engine.catalog().connections.get(connection)
      if (guessRules === undefined) throw notFound('guess')
      if (found === undefined) throw notFound('connection')
      return json({ ...(await guessRules(found, { column: by, field })) })
    },
  })
}
