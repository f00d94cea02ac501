/** @module The demo of a server: data and rules that anybody at the machine may change, and set back. */
import { documentOf } from '@engine/core/server'
import { z } from 'zod'
import type { AdminOptions } from './admin-options.ts'
import { type AddRoutes, json, notFound, readQuery, recordedChange } from './admin-route.ts'
import { requireChangeable } from './config-request.ts'

export function addDemoRoutes(add: AddRoutes, options: AdminOptions): void {
  add('/admin/api/demo/reset', {
    POST: async (call) => {
      readQuery(call, z.strictObject({}))
      const { demo } = options
      if (demo === undefined) throw notFound('demo')
      const { changes, code } = requireChangeable(options)
      return recordedChange(options, call, 'demo-reset', async () => {
        await demo.resetData()
        const change = await changes.write({
          expected: undefined,
          change: () => documentOf(code()),
          note: 'The demo was reset',
          author: 'admin',
          via: 'admin',
          isDryRun: false,
        })
        return { result: json(change), facts: { revision: change.revision } }
      })
    },
  })
}
