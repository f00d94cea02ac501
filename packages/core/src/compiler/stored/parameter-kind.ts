import { unreachable } from '../../foundation/unreachable.ts'
import { oids } from '../sql-types/oids.ts'
import type { TypeSystem } from '../sql-types/system/type-system.ts'
import type { ValueSource } from '../sql-types/value-source.ts'

/**
 * The kind of a parameter for drivers that take values of JavaScript. `step`: the kept rows of an earlier step. Lists are sent as JSON.
 */
export type ParameterKind =
  | { readonly kind: ScalarKind }
  | { readonly kind: 'array'; readonly element: ParameterKind }
  | { readonly kind: 'step'; readonly step: number }

/** `real`: a number of 32 bits. `moment`: a date or a timestamp. `document`: JSON that the database parses. */
export type ScalarKind =
  | 'integer'
  | 'boolean'
  | 'decimal'
  | 'real'
  | 'float'
  | 'bytes'
  | 'moment'
  | 'document'
  | 'text'

/** The kind of the values of a source. JSON is a text, whatever the database makes of it. */
export function parameterKindOf(source: ValueSource, types: TypeSystem): ParameterKind {
  switch (source.from) {
    case 'request':
    case 'constant':
    case 'requestTime':
      return kindOfType(source.type.oid, types)
    case 'caller':
      return kindOfType(source.slot.type.oid, types)
    case 'clampedLimit':
      return { kind: 'integer' }
    case 'step':
      return { kind: 'step', step: source.step }
    default:
      return unreachable(source)
  }
}

function kindOfType(oid: number, types: TypeSystem): ParameterKind {
  const wire = types.wireKind(oid)
  switch (wire.kind) {
    case 'boolean':
    case 'bytes':
    case 'decimal':
    case 'integer':
      return { kind: wire.kind }
    case 'bigint':
      return { kind: 'integer' }
    case 'float':
      return { kind: types.baseTypeOid(oid) === oids.float4 ? 'real' : 'float' }
    case 'json':
      return { kind: 'text' }
    case 'text':
      return { kind: moments.has(types.baseTypeOid(oid)) ? 'moment' : 'text' }
    case 'array':
      return {
        kind: 'array',
        element: kindOfType(types.elementTypeOid(oid) ?? oids.text, types),
      }
    default:
      return unreachable(wire)
  }
}

const moments: ReadonlySet<number> = new Set([oids.date, oids.timestamp, oids.timestamptz])
