import type { ActionDescription } from '@engine/contract'
import type { Settings } from '@engine/core/server'
import { components, type Json } from './components.ts'
import { actionPaths, authPaths, dataPaths, operationPaths, schemaPaths } from './operations.ts'

export interface DocumentOptions {
  readonly settings: Settings
  /** `/auth` is served. */
  readonly hasAuth: boolean
  /** Path under which the app is served; empty at the top. */
  readonly mount: string
  /** undefined where the reader may not see the actions. */
  readonly actions: Readonly<Record<string, ActionDescription>> | undefined
}

/** The routes of this server, as OpenAPI 3.1. */
export function openApiDocument({ settings, hasAuth, actions, mount }: DocumentOptions): Json {
  const { schemaEndpoint, auth, authProvider } = settings
  const security = auth === undefined && authProvider === undefined ? undefined : 'bearer'
  const schemaSecurity = schemaEndpoint.token === undefined ? undefined : 'schemaToken'
  return {
    openapi: '3.1.0',
    info: {
      title: 'Engine',
      version: '1',
      description:
        'Data and authentication in front of databases. Statements are PostgreSQL whatever the database; what a caller may see and do is decided by permissions.',
    },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: mount || '/' }],
    paths: {
      ...dataPaths(security),
      ...(hasAuth ? authPaths() : {}),
      ...(settings.actions.size === 0 ? {} : actionPaths(actions, security)),
      ...(schemaEndpoint.enabled ? schemaPaths(schemaSecurity) : {}),
      ...operationPaths(),
    },
    components: components(),
  }
}
