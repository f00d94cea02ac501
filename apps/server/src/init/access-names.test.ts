import { expect, test } from 'vitest'
import {
  decidesAccess,
  isInvitationTable,
  isKeyValue,
  isMemberTable,
  isProfileColumn,
} from './access-names.ts'

test.each([
  'memberships',
  'team_user',
  'WorkspaceMember',
  'club_users',
  'auth.org_members',
  'user_groups',
  'shop_staff',
])('%s says who belongs to what', (name) => expect(isMemberTable(name)).toBe(true))

test.each([
  'users',
  'orders',
  'remembered_items',
  'auth_user',
  'team_invitations',
  'project_files',
])('%s does not say who belongs to what', (name) => expect(isMemberTable(name)).toBe(false))

test.each([
  'invitations',
  'Invite',
  'team_invitations',
  'join_requests',
  'access_request',
  'join_codes',
])('%s admits somebody', (name) => expect(isInvitationTable(name)).toBe(true))

test.each([
  'roles',
  'role_user',
  'model_has_permissions',
  'document_shares',
  'teams',
  'audit_logs',
])('%s decides about access', (name) => expect(decidesAccess(name)).toBe(true))

test.each(['orders', 'products', 'tasks', 'comments', 'team_projects'])(
  '%s does not decide about access',
  (name) => expect(decidesAccess(name)).toBe(false),
)

test('keys and values, whatever their columns are called', () => {
  expect(isKeyValue(['id', 'user_id', 'meta_key', 'meta_value'])).toBe(true)
  expect(isKeyValue(['userId', 'name', 'value'])).toBe(true)
  expect(isKeyValue(['id', 'user_id', 'name', 'content'])).toBe(false)
  expect(isKeyValue(['id', 'user_id', 'theme', 'locale'])).toBe(false)
})

test.each(['first_name', 'displayName', 'avatar_url', 'bio', 'timeZone', 'phone', 'user_url'])(
  '%s is of a profile',
  (name) => expect(isProfileColumn(name)).toBe(true),
)

test.each([
  'role',
  'is_staff',
  'user_type',
  'access_level',
  'current_team_id',
  'status',
  'username',
])('%s is not of a profile', (name) => expect(isProfileColumn(name)).toBe(false))
