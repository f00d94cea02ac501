/** @module The configuration of the application: who sees which rows, and what owners may do. */
import type { Config } from '@engine/core'
import { createOrganisation } from './create-organisation.ts'
import { invitations, invite, revokeInvitation } from './invitations.ts'

export interface SaasOptions {
  /** Of PostgreSQL, with the tables of `tables.sql`. */
  readonly database: string
  /** Where accounts are kept: a file, or the URL of another database. */
  readonly serviceDatabase: string
  /** Origin of the page: `http://localhost:5173`. */
  readonly page: string
  /** Shows mails at `/auth/mailbox` instead of sending them: for development, never in production. */
  readonly mailbox?: boolean
}

/** The rows of the caller's organisation. */
const ownOrganisation = { organisation_id: '$user.organisation_id' }

export function saasConfig({
  database,
  serviceDatabase,
  page,
  mailbox = false,
}: SaasOptions): Config {
  return {
    connections: { main: database },
    service_db: serviceDatabase,
    auth: {
      // Organisation and role of a caller are those of the row in `users`, looked up with each request.
      userTable: {
        table: 'main.users',
        matchOn: { column: 'id', jwtField: 'sub' },
        columns: ['organisation_id', 'role'],
      },
      email: { productName: 'Workbench', mailbox },
      urls: { invite: `${page}/#/invitation` },
    },
    security: { cors: { origin: [page] } },
    schemaEndpoint: true,
    permissions: [
      {
        name: 'own-row',
        table: 'main.users',
        roles: ['*'],
        select: { columns: ['id', 'email', 'name', 'role'], where: { id: '$user.id' } },
      },
      {
        name: 'colleagues',
        table: 'main.users',
        roles: ['member', 'owner'],
        select: { columns: ['id', 'email', 'name', 'role'], where: ownOrganisation },
      },
      {
        name: 'own-organisation',
        table: 'main.organisations',
        roles: ['member', 'owner'],
        select: { where: { id: '$user.organisation_id' } },
      },
      {
        name: 'projects',
        table: 'main.projects',
        roles: ['member', 'owner'],
        select: { where: ownOrganisation },
        // The organisation of a new row is that of the caller, whatever the statement says.
        insert: {
          columns: ['title'],
          preset: { organisation_id: '$user.organisation_id', created_by: '$user.id' },
        },
        update: { columns: ['title', 'done'], where: ownOrganisation },
      },
      {
        name: 'owners-delete-projects',
        table: 'main.projects',
        roles: ['owner'],
        delete: { where: ownOrganisation },
      },
    ],
    actions: { createOrganisation, invite, invitations, revokeInvitation },
  }
}
