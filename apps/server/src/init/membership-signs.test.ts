import { expect, test } from 'vitest'
import { membershipSign, saysUserLeft } from './membership-signs.ts'

test.each([
  ['status', 'status'],
  ['membershipStatus', 'status'],
  ['invite_state', 'status'],
  ['deleted_at', 'over'],
  ['is_deleted', 'over'],
  ['revokedAt', 'over'],
  ['removed_by_id', 'over'],
  ['date_left', 'over'],
  ['left_at', 'ends'],
  ['expires_at', 'ends'],
  ['validUntil', 'ends'],
  ['end_date', 'ends'],
  ['starts_at', 'begins'],
  ['valid_from', 'begins'],
  ['accepted_at', 'counts'],
  ['invitation_accepted_at', 'counts'],
  ['is_active', 'counts'],
  ['approved_by_id', 'counts'],
  ['date_joined', 'counts'],
  ['invited_at', 'asked'],
  ['invitation_token', 'asked'],
  ['requestedAt', 'asked'],
  ['role', undefined],
  ['created_at', undefined],
  ['updated_at', undefined],
  ['invited_by_id', undefined],
  ['last_active_at', undefined],
  ['user_id', undefined],
  ['position', undefined],
  ['statistics', undefined],
])('%s is %s', (column, sign) => {
  expect(membershipSign(column)).toBe(sign)
})

test.each([
  ['terminated_at', true],
  ['deleted_at', true],
  ['is_active', true],
  ['status', true],
  ['locked_at', false],
  ['email_verified_at', false],
  ['confirmed_at', false],
  ['marital_status', false],
  ['state', false],
  ['reset_token_expires_at', false],
])('of a user, %s: %s', (column, says) => {
  expect(saysUserLeft(column)).toBe(says)
})
