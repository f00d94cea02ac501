/** @module The routes of a configuration and of invitations under `/admin/api`, as OpenAPI. */
import { documentParts } from '@engine/core/server'
import type { AdminOperation, AdminPaths as Paths } from './admin-operation.ts'
import { anything, reference as ref, schemas, text } from './admin-schemas.ts'
import type { Json } from './components.ts'
import { invitationPaths, invitationSchemas } from './invitation-paths.ts'

const query = (name: string, schema: Json, description: string): Json => ({
  name,
  in: 'query',
  schema,
  description,
})

const success: Json = { type: 'object', properties: { success: { const: true } } }

const changeParameters: readonly Json[] = [
  {
    name: 'If-Match',
    in: 'header',
    required: true,
    schema: { type: 'string' },
    description: 'The ETag of the configuration that the change starts from, or *.',
  },
  query('note', { type: 'string', maxLength: 2_000 }, 'Why; part of the revision.'),
  query(
    'author',
    { type: 'string', maxLength: 200, default: 'admin' },
    'Who; part of the revision.',
  ),
  query('via', { enum: ['admin', 'cli'], default: 'admin' }, 'From where; part of the revision.'),
  query(
    'dryRun',
    { type: 'boolean', default: false },
    'Only checks, and answers what would change.',
  ),
]

const wholePaths: Paths = {
  '/admin/api/config': {
    get: { summary: 'The configuration that is served, without its secrets.' },
    patch: {
      summary: 'Changes parts: entries by name are replaced, other options merged, null removes.',
      isChange: true,
      body: ref('ConfigurationDocument'),
    },
  },
  '/admin/api/config/export': {
    get: {
      summary: 'The stored document, with *** for secrets; its names are in order.',
      answer: ref('ConfigurationDocument'),
    },
  },
  '/admin/api/config/import': {
    post: {
      summary: 'Replaces the stored document; *** keeps a stored secret.',
      isChange: true,
      body: ref('ConfigurationDocument'),
    },
  },
  '/admin/api/config/revisions': {
    get: {
      summary: 'The revisions, newest first.',
      answer: ref('Revisions'),
      parameters: [
        query('limit', { type: 'integer', minimum: 1, maximum: 200, default: 50 }, 'How many.'),
        query('before', { type: 'integer', minimum: 1 }, '`next` of the page before.'),
      ],
    },
  },
  '/admin/api/config/revisions/{number}': {
    get: { summary: 'One revision, with its document.', answer: ref('Revision') },
  },
  '/admin/api/config/revisions/{number}/undo': {
    post: {
      summary: 'Takes the changes of one revision back, as a new revision.',
      isChange: true,
    },
  },
  '/admin/api/config/roles': {
    get: { summary: 'The roles, and where they are named.' },
    patch: {
      summary: 'Renames roles everywhere; null removes one.',
      isChange: true,
      body: { type: 'object', additionalProperties: { type: ['string', 'null'] } },
    },
  },
  '/admin/api/config/settings': {
    get: {
      summary:
        'Options of limits, security, audit and the schema endpoint, and actions, with the source of each value.',
      answer: ref('SettingsInForce'),
    },
  },
  '/admin/api/wire-connections': {
    get: {
      summary: 'Clients of the wire protocol, in all processes of this node.',
      answer: ref('WireConnections'),
    },
  },
  '/admin/api/wire-connections/{id}': {
    delete: { summary: 'Ends a connection, and rolls its transaction back.', answer: success },
  },
  '/admin/api/wire-connections/{id}/cancel': {
    post: { summary: 'Stops the statement that runs on a connection.', answer: success },
  },
  '/admin/api/config/differences': {
    get: {
      summary:
        'What the stored configuration has otherwise than the one in code; `before` is the code.',
      answer: ref('Differences'),
    },
  },
  '/admin/api/config/connections/{name}/test': {
    post: {
      summary: 'Tries a connection without saving it; without a body part, the stored one.',
      body: { type: 'object', properties: { connection: anything }, additionalProperties: false },
      answer: ref('ConnectionTest'),
    },
  },
  '/admin/api/config/preview': {
    post: {
      summary:
        'What permissions that are not saved would change for a caller on a table; nothing is kept.',
      body: {
        type: 'object',
        properties: {
          permissions: { type: 'object', description: 'By name; null removes one.' },
          connection: { type: 'string' },
          table: { type: 'string' },
          limit: { type: 'integer', minimum: 1, maximum: 100, default: 50 },
          write: {
            type: 'object',
            properties: { sql: { type: 'string' }, params: { type: 'array' } },
            required: ['sql'],
          },
          as: {
            description:
              '"admin", "anonymous", { user, claims }, { apiKey }, { entry } or { roles, fields, id }; or token.',
          },
          token: { type: 'string' },
        },
        required: ['connection', 'table'],
        additionalProperties: false,
      },
    },
  },
  '/admin/api/config/connections/{name}/dependants': {
    get: { summary: 'Permissions and other parts that need a connection.' },
  },
}

function partPaths(): Paths {
  const parts = documentParts.map((part): [string, Paths[string]] => [
    `/admin/api/config/${part}`,
    {
      get: { summary: `The part ${part}; null where it is absent.` },
      put: { summary: `Replaces ${part}.`, isChange: true, body: anything },
      patch: { summary: `Changes ${part}.`, isChange: true, body: anything },
    },
  ])
  const entries = ['connections', 'permissions', 'actions'].map((part): [string, Paths[string]] => [
    `/admin/api/config/${part}/{name}`,
    {
      get: { summary: `One entry of ${part}.` },
      put: { summary: `Creates or replaces one entry of ${part}.`, isChange: true, body: anything },
      delete: {
        summary: `Removes one entry of ${part}.`,
        isChange: true,
        ...(part === 'connections'
          ? {
              parameters: [
                query(
                  'withDependants',
                  { type: 'boolean' },
                  'Permissions and channels on it, too.',
                ),
              ],
            }
          : {}),
      },
    },
  ])
  return Object.fromEntries([...parts, ...entries])
}

const errorAnswers: Readonly<Record<number, string>> = {
  400: 'A wrong body or query.',
  401: 'The master key is missing or wrong.',
  403: 'This address may not reach /admin.',
  404: 'There is no such entry.',
}

const changeErrors: Readonly<Record<number, string>> = {
  409: 'Changed meanwhile, defined in code, read-only, or still needed.',
  413: 'The body is too large.',
  422: 'The configuration would have faults.',
  428: 'If-Match is missing.',
  503: 'The service database or the audit cannot be written.',
}

/** @param mount path under which the app is served; empty at the top. */
export function adminDocument(mount: string): Json {
  const paths = { ...wholePaths, ...partPaths(), ...invitationPaths }
  return {
    openapi: '3.1.0',
    info: { title: 'Engine: configuration and connections', version: '1' },
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    servers: [{ url: mount || '/' }],
    security: [{ masterKey: [] }],
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, operations]) => [path, pathItem(path, operations)]),
    ),
    components: {
      schemas: { ...schemas, ...invitationSchemas },
      securitySchemes: { masterKey: { type: 'http', scheme: 'bearer' } },
    },
  }
}

function pathItem(path: string, operations: Paths[string]): Json {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
  const parameters = names.map((name) => ({ name, in: 'path', required: true, schema: text }))
  const methods = Object.entries(operations).map(([method, operation]) => [
    method,
    operationOf(path, operation),
  ])
  return { ...(parameters.length === 0 ? {} : { parameters }), ...Object.fromEntries(methods) }
}

function operationOf(path: string, operation: AdminOperation): Json {
  const { tag, summary: title, isChange, body, status = 200, answer, parameters } = operation
  const all = [...(isChange ? changeParameters : []), ...(parameters ?? [])]
  const schema = answer ?? (isChange ? ref('ChangeResult') : anything)
  const errors = { ...errorAnswers, ...(isChange ? changeErrors : {}) }
  return {
    summary: title,
    tags: [tag ?? (path.includes('/config') ? 'configuration' : 'connections')],
    ...(all.length === 0 ? {} : { parameters: all }),
    ...(body === undefined ? {} : { requestBody: { required: true, content: jsonOf(body) } }),
    responses: {
      [status]: {
        description: 'The answer.',
        ...(tag === undefined
          ? { headers: { ETag: { schema: text, description: 'The revision.' } } }
          : {}),
        content: jsonOf(schema),
      },
      ...Object.fromEntries(
        Object.entries(errors).map(([status, description]) => [
          status,
          { description, content: jsonOf(ref('Error')) },
        ]),
      ),
    },
  }
}

function jsonOf(schema: Json): Json {
  return { 'application/json': { schema } }
}
