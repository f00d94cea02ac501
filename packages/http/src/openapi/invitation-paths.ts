/** @module The routes of invitations under `/admin/api`, as OpenAPI. */
import type { AdminPaths } from './admin-operation.ts'
import type { Json } from './components.ts'

const text: Json = { type: 'string' }
const time: Json = { type: 'string', format: 'date-time' }
const roles: Json = { type: 'array', items: text }
const fields: Json = {
  type: 'object',
  description: 'Columns of the row in the user table.',
  additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
}
const one: Json = {
  type: 'object',
  properties: { invitation: { $ref: '#/components/schemas/Invitation' } },
  required: ['invitation'],
}

export const invitationSchemas: Json = {
  NewInvitation: {
    type: 'object',
    properties: {
      email: text,
      name: text,
      roles: { ...roles, description: 'The configuration must name them.' },
      fields,
      expiresIn: { ...text, default: '7d', description: 'A duration, 1m to 90d.' },
    },
    required: ['email'],
    additionalProperties: false,
  },
  Invitation: {
    type: 'object',
    properties: {
      id: text,
      scope: { type: ['string', 'null'], description: 'Of the action that made it.' },
      email: text,
      name: text,
      roles: { ...roles, type: ['array', 'null'] },
      fields,
      createdAt: time,
      sentAt: time,
      expiresAt: time,
      unknownRoles: {
        ...roles,
        description: 'Roles that the configuration no longer names: it cannot be accepted.',
      },
    },
    required: ['id', 'email', 'name', 'roles', 'fields', 'createdAt', 'sentAt', 'expiresAt'],
  },
}

export const invitationPaths: AdminPaths = {
  '/admin/api/invitations': {
    get: {
      tag: 'accounts',
      summary: 'Invitations that wait or have expired, newest first.',
      parameters: ['search', 'limit', 'cursor'].map((name) => ({
        name,
        in: 'query',
        schema: text,
      })),
      answer: {
        type: 'object',
        properties: {
          invitations: { type: 'array', items: { $ref: '#/components/schemas/Invitation' } },
          next: { type: ['string', 'null'] },
        },
        required: ['invitations', 'next'],
      },
    },
    post: {
      tag: 'accounts',
      summary: 'Invites an address, known or not, by a mail.',
      body: { $ref: '#/components/schemas/NewInvitation' },
      status: 201,
      answer: one,
    },
  },
  '/admin/api/invitations/{id}': {
    delete: {
      tag: 'accounts',
      summary: 'Revokes an invitation.',
      answer: { type: 'object', properties: { success: { const: true } }, required: ['success'] },
    },
  },
  '/admin/api/invitations/{id}/resend': {
    post: {
      tag: 'accounts',
      summary: 'Sends another mail; those before it are invalid.',
      answer: one,
    },
  },
}
