/**
 * @module Text search in the configuration of a session: `to_tsvector(body)` is `to_tsvector('pg_catalog.simple', body)`. Views, triggers and
 * permissions keep the configuration of the database.
 */
import { unsupported } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import type { PgFunction, PgOperator } from '../../sql-types/pg-type.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import type { Constant, Expression } from '../tree/expression.ts'
import { functionCall, made } from '../tree/typed-call.ts'

/** Functions that may have a configuration as their first argument. */
const configured: ReadonlySet<string> = new Set([
  'to_tsvector',
  'json_to_tsvector',
  'jsonb_to_tsvector',
  'to_tsquery',
  'plainto_tsquery',
  'phraseto_tsquery',
  'websearch_to_tsquery',
  'ts_headline',
])

/** Functions of operators that read a text without a configuration. */
const withoutConfiguration: ReadonlySet<string> = new Set(['ts_match_tt', 'ts_match_tq'])

/**
 * The argument that a call lacks; undefined where the setting does not matter.
 *
 * @throws {GatewayError} `unsupported` for a function that takes no configuration.
 */
export function lackingConfiguration(
  { schema, name, argumentOids }: PgFunction,
  position: number | undefined,
  { context: { textSearch } }: ExpressionEnvironment,
): Constant | undefined {
  if (textSearch === undefined || schema !== undefined) return undefined
  if (withoutConfiguration.has(name))
    throw unsupported(`${name}() with default_text_search_config`, position)
  if (!configured.has(name) || argumentOids[0] === oids.regconfig) return undefined
  return { kind: 'constant', value: textSearch, type: { oid: oids.regconfig, typmod: -1 } }
}

/** `body @@ 'cats'` with texts: `to_tsvector(c, body) @@ plainto_tsquery(c, 'cats')`. Undefined for any other operator. */
export function configuredOperands(
  { name, leftOid, rightOid }: Pick<PgOperator, 'name' | 'leftOid' | 'rightOid'>,
  left: Expression,
  right: Expression,
  { context: { textSearch, types } }: ExpressionEnvironment,
): { readonly left: Expression; readonly right: Expression } | undefined {
  if (textSearch === undefined || name !== '@@' || leftOid !== oids.text) return undefined
  const configuration = {
    kind: 'constant',
    value: textSearch,
    type: { oid: oids.regconfig, typmod: -1 },
  } as const
  const read = (reader: string, text: Expression) =>
    made(functionCall(types, reader, [configuration, text]))
  return {
    left: read('to_tsvector', left),
    right: rightOid === oids.text ? read('plainto_tsquery', right) : right,
  }
}
