/** @module Literals, with the type that the grammar gives them. */
import type { A_Const } from '@pgsql/types'
import { GatewayError } from '../../../foundation/errors.ts'
import { located, positioned, unsupported } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import { toSqlValue } from '../../sql-types/system/sql-value.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { onlyFields } from '../scope/syntax-node.ts'
import type { Constant } from '../tree/expression.ts'

/** A quoted literal and NULL stay `unknown`; a number is the smallest of int4, int8, numeric that holds it. */
export function bindLiteral(literal: A_Const, environment: ExpressionEnvironment): Constant {
  onlyFields(literal, 'a literal', [
    'ival',
    'fval',
    'boolval',
    'sval',
    'bsval',
    'isnull',
    'location',
  ])
  const { ival, fval, boolval, sval, bsval, isnull, location: position } = literal
  if (isnull === true) return constantOf(oids.unknown, null, position)
  if (sval !== undefined) return constantOf(oids.unknown, sval.sval ?? '', position)
  if (boolval !== undefined) {
    return constantOf(oids.bool, boolval.boolval === true ? 'true' : 'false', position)
  }
  if (ival !== undefined) return constantOf(oids.int4, String(ival.ival ?? 0), position)
  if (fval !== undefined) return bindNumber(fval.fval ?? '', position, environment)
  if (bsval !== undefined) {
    return readAs({ oid: oids.bit, typmod: -1 }, bsval.bsval ?? '', position, environment)
  }
  throw unsupported('this literal', position)
}

function constantOf(oid: number, value: string | null, position: number | undefined): Constant {
  return { kind: 'constant', type: { oid, typmod: -1 }, value, ...positioned(position) }
}

const int4Range = { least: -(2n ** 31n), most: 2n ** 31n - 1n }
const int8Range = { least: -(2n ** 63n), most: 2n ** 63n - 1n }

/** Any digits, point, exponent, radix prefix and underscores that the grammar accepts. */
function bindNumber(
  spelling: string,
  position: number | undefined,
  environment: ExpressionEnvironment,
): Constant {
  const digits = spelling.replaceAll('_', '')
  const integer = integerOf(digits)
  if (integer !== undefined) {
    const fits = (range: typeof int4Range) => integer >= range.least && integer <= range.most
    const oid = fits(int4Range) ? oids.int4 : fits(int8Range) ? oids.int8 : oids.numeric
    return constantOf(oid, String(integer), position)
  }
  return readAs({ oid: oids.numeric, typmod: -1 }, digits, position, environment)
}

function readAs(
  type: SqlType,
  text: string,
  position: number | undefined,
  environment: ExpressionEnvironment,
): Constant {
  const read = toSqlValue(environment.context.types, type, text, 'explicit')
  if (read.ok) return { kind: 'constant', type, value: read.value, ...positioned(position) }
  throw new GatewayError('dataError', located(read.message, position), {
    sqlState: read.sqlState,
    ...positioned(position),
  })
}

function integerOf(digits: string): bigint | undefined {
  const [, sign, body] = /^(-?)(\d+|0[xX][\da-fA-F]+|0[oO][0-7]+|0[bB][01]+)$/.exec(digits) ?? []
  if (body === undefined) return undefined
  return sign === '-' ? -BigInt(body) : BigInt(body)
}
