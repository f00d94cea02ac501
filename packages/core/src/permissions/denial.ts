import { GatewayError } from '../errors.ts'
import type { Operation } from '../plan/plan.ts'
import type { Access } from './access.ts'

/** What every refusal says in production, so that no two refusals can be told apart. */
const publicMessage = 'You do not have permission to perform this operation.'

/** What a refused caller was trying to do. */
export interface Refusal {
  readonly access: Access
  readonly table: string
  readonly operation: Operation
  /** Names of the permissions that were looked at. */
  readonly evaluated: readonly string[]
  /** Development only: the first reason. */
  readonly reason: string
}

/** 403 for an operation that no permission covers. */
export function denial({ access, table, operation, evaluated, reason }: Refusal): GatewayError {
  const role = access.roles.join(', ')
  return new GatewayError(
    'permissionDenied',
    `Role "${role}" may not ${operation} "${table}": ${reason}.`,
    {
      publicMessage,
      sqlState: '42501',
      details: { table, operation, role, evaluated_permissions: evaluated },
    },
  )
}

/** 403 for a name that is no readable column: the same for a hidden and for a missing one. */
export function columnDenial(message: string, table: string | undefined): GatewayError {
  return new GatewayError('columnDenied', message, {
    publicMessage,
    sqlState: '42501',
    details: table === undefined ? {} : { table },
  })
}
