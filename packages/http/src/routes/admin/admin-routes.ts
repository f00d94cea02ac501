/** @module `/admin/api`: the routes for administrators. The UI is one client of it; scripts are others. */
import { GatewayError } from '@engine/core'
import { Hono } from 'hono'
import { createAdminAccess } from '../../administrators/admin-access.ts'
import { addAccountRoutes } from './account-routes.ts'
import { addActionRoutes } from './action-routes.ts'
import type { AdminOptions } from './admin-options.ts'
import { createAddRoutes } from './admin-route.ts'
import { addAuditRoutes } from './audit-routes.ts'
import { addCallerRoutes } from './caller-routes.ts'
import { addCatalogRoutes } from './catalog-routes.ts'
import { addDocumentRoutes } from './config-document-routes.ts'
import { addPartRoutes } from './config-part-routes.ts'
import { addPreviewRoute } from './config-preview-route.ts'
import { addRevisionRoutes } from './config-revision-routes.ts'
import { addRoleRoutes } from './config-role-routes.ts'
import { addSettingsRoute } from './config-settings-route.ts'
import { addConnectionTestRoute } from './connection-test-route.ts'
import { addDemoRoutes } from './demo-routes.ts'
import { addMetricsRoutes } from './metrics-routes.ts'
import { addPermissionRoutes } from './permission-routes.ts'
import { addRulesGuessRoute } from './rules-guess-route.ts'
import { addSessionRoutes } from './session-routes.ts'
import { addSiteRoutes } from './site-routes.ts'
import { addStatusRoutes } from './status-routes.ts'
import { addWireRoutes } from './wire-routes.ts'

/** Everything under `/admin`; to be mounted only where there is a master key. */
export function adminRoutes(options: AdminOptions): Hono {
  const { engine, limiter, handle, sessions, site } = options
  const app = new Hono()
  const access = createAdminAccess(engine.settings, limiter, sessions)
  const add = createAddRoutes(app, access.check, options)
  const addOpen = createAddRoutes(app, async () => undefined, options)
  addSessionRoutes(add, addOpen, access, options)
  addStatusRoutes(add, options)
  addDemoRoutes(add, options)
  addMetricsRoutes(add, options)
  addAuditRoutes(add, options)
  addAccountRoutes(add, options)
  addPermissionRoutes(add, options)
  addCallerRoutes(add, options)
  addCatalogRoutes(add, options)
  addRulesGuessRoute(add, options)
  addActionRoutes(add, options)
  addDocumentRoutes(add, options)
  addRevisionRoutes(add, options)
  addRoleRoutes(add, options)
  addSettingsRoute(add, options)
  addConnectionTestRoute(add, options)
  addPreviewRoute(add, options)
  addWireRoutes(add, options)
  addPartRoutes(add, options)
  const nothing = handle(async (call) => {
    await access.check(call)
    throw new GatewayError('notFound', `There is nothing at ${new URL(call.request.url).pathname}.`)
  })
  const unknown = site === undefined ? ['/admin', '/admin/*'] : ['/admin/api', '/admin/api/*']
  for (const path of unknown) app.all(path, (context) => nothing(context))
  if (site !== undefined) addSiteRoutes(app, site, access, handle)
  return app
}
