/** @module How values that a database stores become JSON, by the PostgreSQL type that they stand for. */
import { oids } from '../sql-types/oids.ts'
import type { SqlType } from '../sql-types/sql-type.ts'
import type { TypeSystem } from '../sql-types/type-system.ts'
import { lengthOfTypmod, numericOfTypmod } from '../sql-types/typmod.ts'
import { unreachable } from '../unreachable.ts'

/** How a stored value becomes JSON. */
export type CellKind =
  | {
      readonly kind:
        | 'boolean'
        | 'integer'
        | 'bigint'
        | 'float4'
        | 'float8'
        | 'bytes'
        | 'json'
        | 'text'
        | 'uuid'
        | 'date'
        | 'time'
        | 'timestamp'
        | 'timestamptz'
    }
  /** `scale`: digits behind the point; undefined where the type says nothing. */
  | { readonly kind: 'decimal'; readonly scale: number | undefined }
  /** `char(length)`: blanks are added up to `length` characters. */
  | { readonly kind: 'padded'; readonly length: number }
  | { readonly kind: 'array'; readonly element: CellKind }

/** How values of a type become JSON. */
export function cellKindOf({ oid, typmod }: SqlType, types: TypeSystem): CellKind {
  const wire = types.wireKind(oid)
  switch (wire.kind) {
    case 'boolean':
    case 'integer':
    case 'bigint':
    case 'bytes':
    case 'json':
      return { kind: wire.kind }
    case 'float':
      return { kind: oid === oids.float4 ? 'float4' : 'float8' }
    case 'decimal':
      return { kind: 'decimal', scale: numericOfTypmod(typmod)?.scale }
    case 'text':
      return textCell(oid, typmod)
    case 'array':
      return {
        kind: 'array',
        element: cellKindOf({ oid: types.elementTypeOid(oid) ?? oids.text, typmod }, types),
      }
    default:
      return unreachable(wire)
  }
}

function textCell(oid: number, typmod: number): CellKind {
  switch (oid) {
    case oids.uuid:
      return { kind: 'uuid' }
    case oids.date:
      return { kind: 'date' }
    case oids.time:
      return { kind: 'time' }
    case oids.timestamp:
      return { kind: 'timestamp' }
    case oids.timestamptz:
      return { kind: 'timestamptz' }
    case oids.bpchar: {
      const length = lengthOfTypmod(oid, typmod)
      return length === undefined ? { kind: 'text' } : { kind: 'padded', length }
    }
    default:
      return { kind: 'text' }
  }
}
