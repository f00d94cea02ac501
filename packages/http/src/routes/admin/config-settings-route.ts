/** @module Limits, security, audit and actions: each value, and where it comes from; what is stored and differs from code. */
import { documentOf, shownActions, shownChanges, shownOptions } from '@engine/core/server'
import { z } from 'zod'
import { newestOf } from '../../interactive/configuration-changes.ts'
import type { AdminOptions } from './admin-options.ts'
import { type AddRoutes, readQuery } from './admin-route.ts'
import { shown } from './config-request.ts'

export function addSettingsRoute(
  add: AddRoutes,
  { configuration, config }: Pick<AdminOptions, 'configuration' | 'config'>,
): void {
  add('/admin/api/config/settings', {
    GET: async (call) => {
      readQuery(call, z.strictObject({}))
      const newest = configuration && (await newestOf(configuration.configurations))
      const code = configuration?.code() ?? config()
      const stored = newest?.document
      return shown(
        { options: shownOptions(code, stored), actions: shownActions(code, stored) },
        newest?.revision,
      )
    },
  })
  add('/admin/api/config/differences', {
    GET: async (call) => {
      readQuery(call, z.strictObject({}))
      if (configuration === undefined) return shown({ changes: [] }, undefined)
      const { revision, document } = await newestOf(configuration.configurations)
      return shown({ changes: shownChanges(documentOf(configuration.code()), document) }, revision)
    },
  })
}
