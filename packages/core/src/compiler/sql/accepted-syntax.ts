/** @module The guard between the parser and the binder: unknown syntax does not pass. */
import type {
  DeleteStmt,
  FuncCall,
  InsertStmt,
  MergeStmt,
  RangeVar,
  SelectStmt,
  UpdateStmt,
} from '@pgsql/types'
import { GatewayError } from '../../foundation/errors.ts'
import { acceptedNodes, type FieldRule, type NodeRule } from './accepted-nodes.ts'
import { located, positioned } from './bind-error.ts'
import { constructName, refusedStatement } from './refused-constructs.ts'
import { plainName, sequenceNameOf } from './sequence-name.ts'

/** The accepted statements, in the parser's form. */
export type AcceptedStatement =
  | { readonly SelectStmt: SelectStmt }
  | { readonly InsertStmt: InsertStmt }
  | { readonly UpdateStmt: UpdateStmt }
  | { readonly DeleteStmt: DeleteStmt }
  | { readonly MergeStmt: MergeStmt }

/** Limits for the size of a tree. */
export interface TreeLimits {
  readonly maxNodes: number
  /** Depth of nested nodes. */
  readonly maxDepth: number
}

/** Facts that the guard collects. */
export interface AcceptedSyntax {
  readonly statement: AcceptedStatement
  /** The highest `n` of any `$n`; 0 without parameters. */
  readonly parameterCount: number
  readonly nodes: number
  /** Every name of a table (or WITH query) in FROM or as the target of a write, in the order of the tree. */
  readonly relations: readonly RangeVar[]
  /** The sequence or table that each nextval() and currval() names. */
  readonly sequences: readonly RangeVar[]
}

const statementKinds: ReadonlySet<string> = new Set([
  'SelectStmt',
  'InsertStmt',
  'UpdateStmt',
  'DeleteStmt',
  'MergeStmt',
])

/** The highest `$n` of PostgreSQL's protocol. */
const maxParameter = 65_535

/**
 * Lets a statement pass only if every node and every field of it is accepted. On the way every `location` is rewritten
 * in place, from the parser's byte offset to the 1-based character position (absent where there is none).
 *
 * @throws {GatewayError} `unsupported`, naming the construct and its position; `limitExceeded` for a tree too large.
 */
export function acceptSyntax(
  statement: unknown,
  positionOf: (byteOffset: number) => number,
  limits: TreeLimits,
): AcceptedSyntax {
  const kind = kindOf(statement)
  if (!statementKinds.has(kind)) throw refusal(refusedStatement(kind), undefined)
  const guard = {
    positionOf,
    limits,
    nodes: 0,
    parameterCount: 0,
    relations: [] as RangeVar[],
    sequences: [] as RangeVar[],
  }
  acceptNode(guard, statement, 0, undefined)
  return {
    statement: statement as AcceptedStatement,
    parameterCount: guard.parameterCount,
    nodes: guard.nodes,
    relations: guard.relations,
    sequences: guard.sequences,
  }
}

/** The state of walking one tree. */
interface Guard {
  readonly positionOf: (byteOffset: number) => number
  readonly limits: TreeLimits
  readonly relations: RangeVar[]
  readonly sequences: RangeVar[]
  nodes: number
  parameterCount: number
}

type Fields = Record<string, unknown>

/** `near`: the position of the closest node outside, for those that have none. */
function acceptNode(guard: Guard, node: unknown, depth: number, near: number | undefined): void {
  const kind = kindOf(node)
  acceptFields(guard, kind, (node as Fields)[kind], depth, near)
}

function acceptFields(
  guard: Guard,
  kind: string,
  fields: unknown,
  depth: number,
  near: number | undefined,
): void {
  const rule = acceptedNodes.get(kind)
  if (rule === undefined) {
    throw refusal(`${constructName(kind)} is not supported`, offsetPosition(guard, fields) ?? near)
  }
  if (!isObject(fields)) throw refusal(`${constructName(kind)} is malformed`, near)
  guard.nodes += 1
  if (guard.nodes > guard.limits.maxNodes) throw tooLarge('has too many parts')
  if (depth > guard.limits.maxDepth) throw tooLarge('is nested too deeply')
  const position = takePosition(guard, rule, fields) ?? near
  for (const name in fields) {
    const field = rule.fields.get(name)
    if (field === undefined || !isAccepted(guard, field, fields[name], depth + 1, position)) {
      throw refusal(`${constructName(kind, name)} is not supported`, position)
    }
  }
  for (const [name, value] of rule.always) {
    if (fields[name] !== value) {
      throw refusal(`${constructName(kind, name)} is not supported`, position)
    }
  }
  note(guard, kind, fields, position)
}

/** Walks into the content of the field. */
function isAccepted(
  guard: Guard,
  rule: FieldRule,
  value: unknown,
  depth: number,
  near: number | undefined,
): boolean {
  switch (rule) {
    case 'node':
      acceptNode(guard, value, depth, near)
      return true
    case 'nodes':
    case 'optionalNodes':
      return isAcceptedList(guard, value, rule === 'optionalNodes', depth, near)
    case 'text':
      return typeof value === 'string'
    case 'number':
    case 'location':
      return typeof value === 'number'
    case 'flag':
      return typeof value === 'boolean'
    default:
  }
  if ('always' in rule) return value === rule.always
  if ('oneOf' in rule) return typeof value === 'string' && rule.oneOf.includes(value)
  acceptFields(guard, rule.fieldsOf, value, depth, near)
  return true
}

function isAcceptedList(
  guard: Guard,
  value: unknown,
  mayBeEmpty: boolean,
  depth: number,
  near: number | undefined,
): boolean {
  if (!Array.isArray(value)) return false
  for (const item of value) {
    if (mayBeEmpty && isObject(item) && Object.keys(item).length === 0) continue
    acceptNode(guard, item, depth, near)
  }
  return true
}

const namesSequence = /^(?:nextval|currval|setval)$/

function note(guard: Guard, kind: string, fields: Fields, position: number | undefined): void {
  if (kind === 'RangeVar') guard.relations.push(fields as RangeVar)
  if (kind === 'FuncCall' && namesSequence.test(plainName((fields as FuncCall).funcname) ?? '')) {
    const name = sequenceNameOf(fields as FuncCall)
    if (name !== undefined) guard.sequences.push(name.relation)
  }
  if (kind !== 'ParamRef') return
  const { number } = fields
  if (typeof number !== 'number' || number < 1 || number > maxParameter) {
    throw refusal('there is no such parameter', position, '42P02')
  }
  guard.parameterCount = Math.max(guard.parameterCount, number)
}

/** Rewrites `location` and returns it. The parser leaves out a 0, and writes -1 for none. */
function takePosition(guard: Guard, rule: NodeRule, fields: Fields): number | undefined {
  if (!rule.fields.has('location')) return undefined
  const position = offsetPosition(guard, fields)
  if (position === undefined) delete fields['location']
  else fields['location'] = position
  return position
}

function offsetPosition(guard: Guard, fields: unknown): number | undefined {
  const offset = isObject(fields) ? (fields['location'] ?? 0) : -1
  return typeof offset === 'number' && offset >= 0 ? guard.positionOf(offset) : undefined
}

/** The only key of a node. */
function kindOf(node: unknown): string {
  const [kind, ...others] = isObject(node) ? Object.keys(node) : []
  if (kind === undefined || others.length > 0)
    throw refusal('This construct is not supported', undefined)
  return kind
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refusal(message: string, position: number | undefined, sqlState = '0A000'): GatewayError {
  return new GatewayError('unsupported', located(message, position), {
    sqlState,
    ...positioned(position),
  })
}

function tooLarge(problem: string): GatewayError {
  return new GatewayError('limitExceeded', `The statement ${problem}.`, { sqlState: '54001' })
}
