import type { Permission } from '../../compiler/permissions/permission/permission.ts'
import { isPlainObject } from '../../foundation/plain-object.ts'

/** `$user.<field>` in a permission. */
export interface UserReference {
  /** `permissions.own orders.select.where.owner` */
  readonly path: string
  /** The first part after `$user.`: a field of the caller. */
  readonly field: string
}

const prefix = '$user.'

/** Every `$user.<field>` of a permission; a text under `$literal` does not count. */
export function userReferences(permission: Permission, path: string): readonly UserReference[] {
  const { restrict, select, insert, update, delete: deleting } = permission
  return referencesIn({ restrict, select, insert, update, delete: deleting }, path)
}

function referencesIn(value: unknown, path: string): readonly UserReference[] {
  if (typeof value === 'string') return referenceOf(value, path)
  if (Array.isArray(value)) return value.flatMap((item, i) => referencesIn(item, `${path}[${i}]`))
  if (!isPlainObject(value)) return []
  return Object.entries(value).flatMap(([key, item]) =>
    key === '$literal' ? [] : [...referenceOf(key, path), ...referencesIn(item, `${path}.${key}`)],
  )
}

function referenceOf(text: string, path: string): readonly UserReference[] {
  if (!text.startsWith(prefix)) return []
  const [field = ''] = text.slice(prefix.length).split('.')
  return [{ path, field }]
}
