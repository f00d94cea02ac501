import { GatewayError } from '../../../foundation/errors.ts'
import type { Table } from '../../catalog/catalog.ts'
import type { Operation } from '../../catalog/operation.ts'
import type { Access } from './access.ts'

/** The message of every refusal in production: all refusals are the same. */
export const publicDenial = 'You do not have permission to perform this operation.'

/** The operation that was refused. */
export interface Refusal {
  readonly access: Access
  readonly table: string
  readonly operation: Operation
  /** Names of the evaluated permissions. */
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
      publicMessage: publicDenial,
      reason,
      sqlState: '42501',
      details: { table, operation, role, evaluated_permissions: evaluated },
    },
  )
}

/** A name without a column that the caller may use. */
export interface ColumnRefusal {
  readonly access: Access
  readonly name: string
  /** Undefined where several tables could have the column. */
  readonly table: Table | undefined
  readonly operation: Operation
}

/** 403, the same for a hidden column and for one that does not exist; the details are for developers only. */
export function columnDenial({ access, name, table, operation }: ColumnRefusal): GatewayError {
  const role = access.roles.join(', ')
  const of = table === undefined ? '' : ` of "${table.connection}"."${table.name}"`
  const exists = table?.columns.some((column) => column.name === name) ?? false
  const verb = operation === 'select' ? 'is not readable' : 'may not be set'
  const reason = `Column "${name}"${of} ${exists ? verb : 'does not exist'}`
  return new GatewayError('columnDenied', `${reason} for role "${role}".`, {
    publicMessage: publicDenial,
    reason,
    sqlState: '42501',
    details: {
      ...(table === undefined ? {} : { table: `${table.connection}.${table.name}` }),
      operation,
      role,
      evaluated_permissions: table ? access.permissionsFor(table).map((each) => each.name) : [],
    },
  })
}

/** 403 where no permission grants the operation on any row. */
export function ungranted(access: Access, table: Table, operation: Operation): GatewayError {
  return denial({
    access,
    table: `${table.connection}.${table.name}`,
    operation,
    evaluated: access.permissionsFor(table).map(({ name }) => name),
    reason: `no permission grants ${operation} on it`,
  })
}
