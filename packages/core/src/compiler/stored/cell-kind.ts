/** @module How values that a database stores become JSON, by the PostgreSQL type that they represent. */

import { unreachable } from '../../foundation/unreachable.ts'
import { oids } from '../sql-types/oids.ts'
import type { SqlType } from '../sql-types/sql-type.ts'
import type { TypeSystem } from '../sql-types/system/type-system.ts'
import { lengthOfTypmod, numericOfTypmod } from '../sql-types/typmod.ts'

/** The conversion of a stored value to JSON. */
export type CellKind =
  | {
      readonly kind:
        | 'boolean'
        | 'bigint'
        | 'float4'
        | 'float8'
        | 'bytes'
        | 'json'
        | 'jsonb'
        | 'text'
        | 'uuid'
        | 'date'
        | 'time'
        | 'timestamp'
        | 'timestamptz'
    }
  /** `range`: the least and the greatest value; undefined where it does not matter. */
  | { readonly kind: 'integer'; readonly range?: readonly [bigint, bigint] | undefined }
  /** `scale`: digits after the point; undefined where the type does not fix it. */
  | { readonly kind: 'decimal'; readonly scale: number | undefined }
  /** `char(length)`: padded with blanks to `length` characters. */
  | { readonly kind: 'padded'; readonly length: number }
  | { readonly kind: 'array'; readonly element: CellKind }

/** The conversion of a type's values to JSON. */
export function cellKindOf({ oid, typmod }: SqlType, types: TypeSystem): CellKind {
  const wire = types.wireKind(oid)
  switch (wire.kind) {
    case 'boolean':
    case 'bigint':
    case 'bytes':
      return { kind: wire.kind }
    case 'integer':
      return { kind: 'integer', range: rangeOf(types.baseTypeOid(oid)) }
    case 'json':
      return { kind: types.baseTypeOid(oid) === oids.jsonb ? 'jsonb' : 'json' }
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

function rangeOf(oid: number): readonly [bigint, bigint] {
  switch (oid) {
    case oids.int2:
      return [-32_768n, 32_767n]
    case oids.oid:
      return [0n, 4_294_967_295n]
    default:
      return [-2_147_483_648n, 2_147_483_647n]
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
