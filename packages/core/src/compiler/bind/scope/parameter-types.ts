import type { GatewayError } from '../../../foundation/errors.ts'
import { bindError } from '../../sql/bind-error.ts'
import { type Oid, oids } from '../../sql-types/oids.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import type { TypeSystem } from '../../sql-types/system/type-system.ts'
import { noTypmod } from '../../sql-types/typmod.ts'
import type { ParameterTypes } from './context.ts'

/**
 * Discovers the types of `$1 ... $n` of one statement, as PostgreSQL's PREPARE does.
 *
 * @param declared types that the client declares, by index; 0 and `unknown` are to be inferred.
 * @throws {GatewayError} `badRequest` with SQLSTATE 42704 for a declared type that does not exist.
 */
export function createParameterTypes(
  types: TypeSystem,
  declared: readonly Oid[] = [],
): ParameterTypes {
  const found: (SqlType | undefined)[] = []
  for (const [index, type] of declaredTypes(types, declared)) found[index] = type
  return {
    typeOf: (index) => found[index],
    fix: (index, type, position) => {
      const earlier = found[index]
      if (earlier === undefined) {
        found[index] = type
        return
      }
      if (earlier.oid === type.oid) return
      const pair = `${types.formatType(earlier.oid)} versus ${types.formatType(type.oid)}`
      throw bindError(`inconsistent types deduced for parameter $${index + 1}: ${pair}`, {
        sqlState: '42P08',
        position,
      })
    },
    finish: (count) => {
      const all: SqlType[] = []
      for (let index = 0; index < count; index += 1) {
        const type = found[index]
        if (type === undefined) throw undeterminedParameter(index, undefined)
        all.push(type)
      }
      return all
    },
  }
}

function declaredTypes(
  types: TypeSystem,
  declared: readonly Oid[],
): readonly (readonly [number, SqlType])[] {
  return declared.flatMap((oid, index): (readonly [number, SqlType])[] => {
    if (oid === 0 || oid === oids.unknown) return []
    if (!isDeclarable(types, oid)) {
      throw bindError(`type with OID ${oid} does not exist`, {
        sqlState: '42704',
        position: undefined,
      })
    }
    return [[index, { oid, typmod: noTypmod }]]
  })
}

/** Types without a name in client SQL whose texts only tell a number, or a document. */
const declarable: ReadonlySet<string> = new Set([
  ...['oid', 'xid', 'xid8', 'cid', 'tid', 'pg_lsn', 'xml'],
])

/**
 * The types that a client may name in SQL, and those which drivers declare besides: numbers of the system, and documents, as JDBC's
 * `setSQLXML` and COPY into a column do. Other types could reveal the content of the database: reading a text as `regclass` finds
 * tables, and reading it as `regrole` finds names of users.
 */
function isDeclarable(types: TypeSystem, oid: Oid): boolean {
  const type = types.typeByOid(oid)
  if (type === undefined || type.kind === 'pseudo') return false
  if (type.isNameable) return true
  const single = types.typeByOid(types.elementTypeOid(oid) ?? oid)
  if (single === undefined || single.schema !== undefined) return false
  const isArray = oid === types.arrayTypeOid(single.oid)
  return declarable.has(single.name) && (oid === single.oid || isArray)
}

/** The error for a parameter without a type. */
export function undeterminedParameter(index: number, position: number | undefined): GatewayError {
  return bindError(`could not determine data type of parameter $${index + 1}`, {
    sqlState: '42P18',
    position,
  })
}
