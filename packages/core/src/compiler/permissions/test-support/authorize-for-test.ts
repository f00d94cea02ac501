/** @module From a client's text to the authorized statement, over the shop. */

import { admin, type Caller, type CallerFields } from '../../../foundation/caller.ts'
import { GatewayError } from '../../../foundation/errors.ts'
import { createFaults, type Fault } from '../../../foundation/faults.ts'
import { bindStatement } from '../../bind/bind.ts'
import type { BoundStatement } from '../../bind/tree/bound-query.ts'
import { loadParser, parseStatement } from '../../sql/parse.ts'
import type { Access } from '../access/access.ts'
import { catalogView } from '../access/catalog-view.ts'
import { readsEveryColumn } from '../access/fully-readable.ts'
import { createRightsSource, type Rights } from '../access/rights.ts'
import { authorize } from '../authorize/authorize.ts'
import { parsePermission } from '../permission/parse-permission.ts'
import type { Permission } from '../permission/permission.ts'
import {
  type ConnectionPermissions,
  createConnectionPermissions,
} from '../permission/permission-set.ts'
import { describeStatement } from './describe-statement.ts'
import { createShop, type Shop } from './shop.ts'
import { faultsIn } from './well-formed.ts'

await loadParser()

export const shop: Shop = createShop()

/** Permissions by name; `table` without the connection. */
export type TestPermissions = Readonly<Record<string, unknown>>

/** The faults of permissions, as `path: message`. */
export function faultsOf(permissions: TestPermissions): readonly string[] {
  return check(permissions).faults.map(({ path, message }) => `${path}: ${message}`)
}

function check(permissions: TestPermissions): {
  readonly permissions: ConnectionPermissions
  readonly faults: readonly Fault[]
} {
  const faults = createFaults()
  const parsed = new Map<string, Permission>()
  for (const [name, input] of Object.entries(permissions)) {
    const permission = parsePermission(input, faults, `permissions.${name}`)
    if (permission !== undefined) parsed.set(name, permission)
  }
  return {
    permissions: createConnectionPermissions(parsed, shop.connection, new Map(), faults),
    faults: faults.list,
  }
}

/** Permissions without faults. */
export function permissionsOf(permissions: TestPermissions): ConnectionPermissions {
  const checked = check(permissions)
  if (checked.faults.length > 0) throw new Error(JSON.stringify(checked.faults))
  return checked.permissions
}

export function user(roles: readonly string[], fields: CallerFields = {}): Caller {
  return { kind: 'user', id: 'u', roles, fields }
}

export function rightsOf(permissions: TestPermissions, caller: Caller): Rights {
  const source = createRightsSource(
    [{ connection: shop.connection, permissions: permissionsOf(permissions) }],
    false,
  )
  return source.rightsOf(caller)
}

export function accessOf(permissions: TestPermissions, caller: Caller): Access {
  return rightsOf(permissions, caller).access(shop.connection)
}

/** All stages before printing; checks that the result is well formed. */
export function authorizeText(sql: string, access: Access): BoundStatement {
  const parsed = parseStatement(sql)
  const bound = bindStatement(parsed, {
    catalog: shop.catalog,
    view: () => catalogView(access, readsEveryColumn(access, parsed.relations, shop.catalog)),
    parameterCount: parsed.parameterCount,
  })
  const authorized = authorize(bound, access)
  const faults = faultsIn(authorized)
  if (faults.length > 0) throw new Error(`${sql}: ${faults.join('; ')}`)
  return authorized
}

/** The authorized statement as text, for a caller of role `r` with the given fields. */
export function secured(
  sql: string,
  permissions: TestPermissions,
  caller: Caller = user(['r'], { tenant: 'acme', id: 7 }),
): string {
  return describeStatement(authorizeText(sql, accessOf(permissions, caller)))
}

/** The same with full rights. */
export function securedForAdmin(sql: string): string {
  return secured(sql, {}, admin)
}

/** The error instead: problem and message. */
export function refusal(
  sql: string,
  permissions: TestPermissions,
  caller: Caller = user(['r'], { tenant: 'acme', id: 7 }),
): GatewayError {
  try {
    secured(sql, permissions, caller)
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
  throw new Error('it is not refused')
}
