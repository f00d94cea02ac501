import type { PermissionMatrix } from '@engine/core/server'

export type { PermissionMatrix } from '@engine/core/server'
export type MatrixEntry = PermissionMatrix['entries'][number]
