/** @module The routes of `/admin/api` with their answers: the server's handlers and the administrator's pages are checked against it. */
import type { SuccessResponse } from '../auth.ts'
import type {
  AdminSession,
  AdminUser,
  ApiKeyDescription,
  CreatedApiKey,
  Invitation,
  OutboxMail,
} from './accounts.ts'
import type { AuditPage } from './audit.ts'
import type { Catalog, RulesGuess } from './catalog.ts'
import type {
  ChangeResult,
  ConnectionDependants,
  ConnectionTestAnswer,
  RevisionsPage,
  RoleUse,
  ShownChange,
  ShownRevision,
  ShownSettings,
} from './configuration.ts'
import type { PermissionMatrix } from './permission-matrix.ts'
import type {
  ActionFacts,
  ExplainAnswer,
  FoundCaller,
  PreviewAnswer,
  SimulatedAnswer,
  StatementAnswer,
} from './statements.ts'
import type {
  AdministratorSession,
  EngineMetrics,
  EngineStatus,
  SchemaRefresh,
  WireConnection,
} from './status.ts'

/** A page of a list, and the `cursor` of the next one; null at the end. */
interface NextCursor {
  readonly next: string | null
}

/** A JSON object whose shape is the configuration's or OpenAPI's. */
type JsonObject = Readonly<Record<string, unknown>>

/** The parts of a stored configuration that have a route of their own. */
export type ConfigurationPart =
  | 'connections'
  | 'defaultConnection'
  | 'permissions'
  | 'channels'
  | 'limits'
  | 'security'
  | 'audit'
  | 'schemaEndpoint'
  | 'actions'

/** The parts whose entries have names, and routes of their own. */
export type NamedPart = 'connections' | 'permissions' | 'actions'

/** Reading and changing one part of the configuration; null: absent. */
type PartRoutes = {
  readonly [Route in `GET /config/${ConfigurationPart}`]: unknown
} & {
  readonly [Route in `${'PUT' | 'PATCH'} /config/${ConfigurationPart}`]: ChangeResult
} & {
  readonly [Route in `GET /config/${NamedPart}/:name`]: unknown
} & {
  readonly [Route in `${'PUT' | 'DELETE'} /config/${NamedPart}/:name`]: ChangeResult
}

/** By method and path below `/admin/api`: the JSON of the answer. */
export interface AdminApi extends PartRoutes {
  readonly 'GET /status': EngineStatus
  readonly 'GET /metrics': EngineMetrics
  readonly 'POST /schema/refresh': SchemaRefresh
  /** Only where the server serves a demo: 404 elsewhere. */
  readonly 'POST /demo/reset': ChangeResult

  readonly 'POST /sign-in': { readonly session: AdministratorSession }
  readonly 'POST /sign-in/link': { readonly session: AdministratorSession }
  /** null: there is none. */
  readonly 'GET /session': { readonly session: AdministratorSession | null }
  readonly 'POST /sign-out': SuccessResponse

  readonly 'GET /audit': AuditPage
  /** A file, no JSON. */
  readonly 'GET /audit/export': never

  readonly 'GET /api-keys': { readonly apiKeys: readonly ApiKeyDescription[] }
  readonly 'POST /api-keys': { readonly apiKey: CreatedApiKey }
  readonly 'DELETE /api-keys/:id': SuccessResponse
  readonly 'GET /sessions': NextCursor & { readonly sessions: readonly AdminSession[] }
  readonly 'DELETE /sessions/:id': SuccessResponse
  readonly 'GET /users': NextCursor & { readonly users: readonly AdminUser[] }
  readonly 'POST /users': { readonly user: AdminUser }
  readonly 'PATCH /users/:id': SuccessResponse
  readonly 'POST /users/:id/reset': SuccessResponse
  readonly 'DELETE /users/:id/sessions': SuccessResponse & { readonly ended: number }
  readonly 'GET /invitations': NextCursor & { readonly invitations: readonly Invitation[] }
  readonly 'POST /invitations': { readonly invitation: Invitation }
  readonly 'DELETE /invitations/:id': SuccessResponse
  readonly 'POST /invitations/:id/resend': { readonly invitation: Invitation }
  readonly 'GET /outbox': { readonly mails: readonly OutboxMail[] }

  readonly 'GET /permissions/matrix': PermissionMatrix
  readonly 'GET /callers': { readonly callers: readonly FoundCaller[] }
  readonly 'POST /query': StatementAnswer
  readonly 'POST /explain': ExplainAnswer
  readonly 'POST /simulate': SimulatedAnswer
  readonly 'GET /actions': { readonly actions: readonly ActionFacts[] }
  readonly 'POST /actions/:name': { readonly output: unknown }

  readonly 'GET /catalog': Catalog
  readonly 'GET /catalog/rows': StatementAnswer
  readonly 'GET /catalog/rules': RulesGuess

  readonly 'GET /wire-connections': {
    /** The wire protocol is served. */
    readonly isServed: boolean
    readonly connections: readonly WireConnection[]
  }
  readonly 'DELETE /wire-connections/:id': SuccessResponse
  readonly 'POST /wire-connections/:id/cancel': SuccessResponse

  readonly 'GET /openapi.json': JsonObject
  readonly 'GET /config': JsonObject
  readonly 'PATCH /config': ChangeResult
  readonly 'GET /config/export': JsonObject
  readonly 'POST /config/import': ChangeResult
  readonly 'POST /config/preview': PreviewAnswer
  readonly 'GET /config/settings': ShownSettings
  readonly 'GET /config/differences': { readonly changes: readonly ShownChange[] }
  readonly 'GET /config/revisions': RevisionsPage
  readonly 'GET /config/revisions/:number': ShownRevision
  readonly 'POST /config/revisions/:number/undo': ChangeResult
  /** By role. */
  readonly 'GET /config/roles': { readonly roles: Readonly<Record<string, RoleUse>> }
  readonly 'PATCH /config/roles': ChangeResult
  readonly 'GET /config/connections/:name/dependants': ConnectionDependants
  readonly 'POST /config/connections/:name/test': ConnectionTestAnswer
}

/** `GET /status`, `DELETE /sessions/:id` … */
export type AdminRouteName = keyof AdminApi

type PathOf<Route> = Route extends `${string} ${infer Path}` ? Path : never

/** The paths below `/admin/api`. */
export type AdminPath = PathOf<AdminRouteName>

type MethodOf<Route, Path extends string> = Route extends `${infer Method} ${Path}` ? Method : never

/** The methods of a path. */
export type AdminMethod<Path extends AdminPath> = MethodOf<AdminRouteName, Path>
