/**
 * The sender of a request. Roles are exact strings; `fields` are the values that `$user.<field>` may read (own properties only).
 */
export type Caller =
  | { readonly kind: 'anonymous'; readonly roles: readonly string[]; readonly fields: CallerFields }
  | {
      readonly kind: 'user'
      readonly id: string
      readonly roles: readonly string[]
      readonly fields: CallerFields
    }
  | { readonly kind: 'admin'; readonly roles: readonly string[]; readonly fields: CallerFields }

/** Verified facts about the caller: JSON values from a token, a user row or a session resolver. */
export type CallerFields = Readonly<Record<string, unknown>>

/** The caller of open mode. */
export const anonymous: Caller = { kind: 'anonymous', roles: ['anonymous'], fields: {} }

/** The holder of the master key: bypasses row and column rules, keeps every other rule. */
export const admin: Caller = { kind: 'admin', roles: [], fields: {} }
