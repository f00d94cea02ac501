import type { PermissionMatrix } from '@engine/contract/admin-api'

export type { PermissionMatrix } from '@engine/contract/admin-api'
export type MatrixEntry = PermissionMatrix['entries'][number]
