/** @module PREPARE, EXECUTE, DEALLOCATE. */
import { GatewayError } from '@engine/core'
import type { TypeSystem } from '@engine/core/catalog'
import { oids } from '@engine/core/values'
import { again, wireError } from '../../errors/wire-error.ts'
import { isVariable } from '../execute/command-fields.ts'
import { prepareStatement } from '../execute/prepare-statement.ts'
import type { SessionParts } from '../parts/session-parts.ts'
import { type BoundParameters, noParameters } from '../results/bound-parameters.ts'
import { type Completion, plainCompletion } from '../results/completion.ts'
import type { RowSink } from '../results/row-sink.ts'
import type { SessionCommand, TypeName } from '../statements/client-statement.ts'
import { tablelessStatement } from '../statements/tableless.ts'
import type { CommandParts } from './command-parts.ts'
import { computeRow } from './compute-row.ts'

type Command<Kind extends SessionCommand['kind']> = Extract<SessionCommand, { readonly kind: Kind }>

/** @throws {GatewayError} 42P05, 42704, and errors of the statement. */
export async function prepareByName(
  parts: SessionParts,
  { name, parameterTypes, statement, text }: Command<'prepare'>,
): Promise<Completion> {
  const { statements } = parts
  const oids = parameterTypes.map((type) => typeOid(parts, type))
  statements.add(name, await prepareStatement(parts, statement, oids), text)
  return plainCompletion('PREPARE')
}

/** PostgreSQL's own types, then those of the connections. */
function typeOid({ client, lookups }: SessionParts, type: TypeName): number {
  if (type.schema === undefined || type.schema === 'pg_catalog') {
    const builtin = oidIn(lookups.builtinTypes(), type)
    if (builtin !== undefined) return builtin
  }
  const numbers = lookups.numbers()
  for (const { name, types } of client.visible().connections) {
    const own = oidIn(types, type)
    if (own !== undefined) return numbers.typeOid(name, own)
  }
  throw new GatewayError('badRequest', `type "${type.name}" does not exist`, {
    sqlState: '42704',
    position: type.position,
  })
}

function oidIn(types: TypeSystem, { name, isArray }: TypeName): number | undefined {
  const found = types.typeByName(name)
  if (found === undefined) return undefined
  return isArray ? types.arrayTypeOid(found.oid) : found.oid
}

/** @throws {GatewayError} 26000, 42601 for a wrong number of arguments, 0A000 for EXECUTE of EXECUTE. */
export async function executePrepared(
  parts: CommandParts,
  { name, argumentTexts }: Command<'execute'>,
  { resultFormats }: BoundParameters,
  sink: RowSink,
): Promise<Completion> {
  const prepared = parts.statements.get(name)
  if (isVariable(prepared)) {
    throw wireError('0A000', 'EXECUTE does not support variable-result cached plans', 'unsupported')
  }
  const { parameterOids } = prepared
  if (argumentTexts.length !== parameterOids.length) {
    const detail = `Expected ${parameterOids.length} parameters but got ${argumentTexts.length}.`
    const message = `wrong number of parameters for prepared statement "${name}"`
    throw again(wireError('42601', message), { detail })
  }
  const texts: (string | null)[] = []
  for (const [i, argument] of argumentTexts.entries()) {
    const oid = parameterOids[i] ?? 0
    texts.push(literalText(argument, oid) ?? (await evaluate(parts, argument, oid, i + 1)))
  }
  const parameters = texts.map((text) => (text === null ? null : Buffer.from(text)))
  return parts.runPrepared(prepared, { parameters, parameterFormats: [], resultFormats }, sink)
}

/** Reads numbers and plain strings without the parser. Undefined for every other value. */
function literalText(argument: string, oid: number): string | undefined {
  if (numbers.has(oid) && /^-?\d{1,9}$/.test(argument)) return argument
  if (/^'(?:[^']|'')*'$/.test(argument)) return argument.slice(1, -1).replaceAll("''", "'")
  return undefined
}

const numbers: ReadonlySet<number> = new Set([
  oids.int4,
  oids.int8,
  oids.numeric,
  oids.float4,
  oids.float8,
])

/**
 * The value as PostgreSQL prints it, as text of the parameter's type where that is one of PostgreSQL's own.
 *
 * @param number of the parameter: 1 is `$1`.
 */
async function evaluate(
  parts: CommandParts,
  argument: string,
  oid: number,
  number: number,
): Promise<string | null> {
  const types = parts.lookups.builtinTypes()
  if (!isUntyped(argument)) await requireAssignable(parts, argument, oid, number)
  const cast = types.typeByOid(oid) === undefined ? '' : `::${types.formatType(oid)}`
  const statement = tablelessStatement(`select ((${argument})${cast})::text`, 0)
  const [text = null] = await computeRow(
    parts,
    await prepareStatement(parts, statement, []),
    noParameters,
  )
  return text
}

/** A string or NULL, which the type of the parameter reads. */
function isUntyped(argument: string): boolean {
  return /^(?:null|(?:e|u&)?'(?:[^']|'')*'|\$\w*\$[^$]*\$\w*\$)$/i.test(argument)
}

/** @throws {GatewayError} 42804 for a value that could not be stored in a column of the parameter's type, either. */
async function requireAssignable(
  parts: CommandParts,
  argument: string,
  oid: number,
  number: number,
): Promise<void> {
  const statement = tablelessStatement(`select (${argument})`, 0)
  const prepared = await prepareStatement(parts, statement, [])
  const types = parts.lookups.builtinTypes()
  const given = prepared.kind === 'query' ? prepared.description.columns[0]?.type.oid : undefined
  if (given === undefined || types.typeByOid(given) === undefined) return
  if (types.typeByOid(oid) === undefined || types.coercion(given, oid, 'assignment')) return
  const [from, to] = [given, oid].map((each) => types.formatType(each))
  const message = `parameter $${number} of type ${from} cannot be coerced to the expected type ${to}`
  throw again(wireError('42804', message), {
    hint: 'You will need to rewrite or cast the expression.',
  })
}

/** @throws {GatewayError} 26000 */
export function deallocate({ statements }: SessionParts, name: string | undefined): Completion {
  if (name === undefined) {
    statements.clear()
    return plainCompletion('DEALLOCATE ALL')
  }
  statements.get(name)
  statements.delete(name)
  return plainCompletion('DEALLOCATE')
}
