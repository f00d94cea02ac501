import { definePermissions } from '@engine/core'

export const permissions = definePermissions({})
