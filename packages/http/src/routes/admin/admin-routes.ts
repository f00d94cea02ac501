/** @module `/admin/api`: the routes for administrators. The UI is one client of it; scripts are others. */
import { GatewayError } from '@engine/core'
import { Hono } from 'hono'
import { createAdminAccess } from '../../admin-access.ts'
import { addAccountRoutes } from './account-routes.ts'
import type { AdminOptions } from './admin-options.ts'
import { createAddRoutes } from './admin-route.ts'
import { addAuditRoutes } from './audit-routes.ts'
import { addDocumentRoutes } from './config-document-routes.ts'
import { addPartRoutes } from './config-part-routes.ts'
import { addRevisionRoutes } from './config-revision-routes.ts'
import { addRoleRoutes } from './config-role-routes.ts'
import { addConnectionTestRoute } from './connection-test-route.ts'
import { addPermissionRoutes } from './permission-routes.ts'
import { addStatusRoutes } from './status-routes.ts'

/** Everything under `/admin`; to be mounted only where there is a master key. */
export function adminRoutes(options: AdminOptions): Hono {
  const { engine, limiter, handle } = options
  const app = new Hono()
  const access = createAdminAccess(engine.settings, limiter)
  const add = createAddRoutes(app, access, options)
  addStatusRoutes(add, options)
  addAuditRoutes(add, options)
  addAccountRoutes(add, options)
  addPermissionRoutes(add, options)
  addDocumentRoutes(add, options)
  addRevisionRoutes(add, options)
  addRoleRoutes(add, options)
  addConnectionTestRoute(add, options)
  addPartRoutes(add, options)
  const nothing = handle(async (call) => {
    await access.check(call)
    throw new GatewayError('notFound', `There is nothing at ${new URL(call.request.url).pathname}.`)
  })
  app.all('/admin', (context) => nothing(context))
  app.all('/admin/*', (context) => nothing(context))
  return app
}
