/** @module Operators by the type of a column, and operands as texts of an input. */

interface OperatorForm {
  readonly label: string
  /** `list`: several values, `range`: two, `null`: true or false. */
  readonly takes: 'one' | 'list' | 'range' | 'null'
}

export const forms: Readonly<Record<string, OperatorForm>> = {
  $eq: { label: 'is', takes: 'one' },
  $ne: { label: 'is not', takes: 'one' },
  $gt: { label: 'is more than', takes: 'one' },
  $gte: { label: 'is at least', takes: 'one' },
  $lt: { label: 'is less than', takes: 'one' },
  $lte: { label: 'is at most', takes: 'one' },
  $between: { label: 'is between', takes: 'range' },
  $in: { label: 'is one of', takes: 'list' },
  $nin: { label: 'is none of', takes: 'list' },
  $like: { label: 'is like', takes: 'one' },
  $nlike: { label: 'is not like', takes: 'one' },
  $ilike: { label: 'is like (any case)', takes: 'one' },
  $nilike: { label: 'is not like (any case)', takes: 'one' },
  $startsWith: { label: 'starts with', takes: 'one' },
  $endsWith: { label: 'ends with', takes: 'one' },
  $contains: { label: 'contains', takes: 'one' },
  $containedBy: { label: 'is contained by', takes: 'one' },
  $overlaps: { label: 'overlaps', takes: 'list' },
  $hasKey: { label: 'has the key', takes: 'one' },
  $isNull: { label: 'is NULL', takes: 'null' },
  $notNull: { label: 'is not NULL', takes: 'null' },
}

export type ColumnKind = 'text' | 'number' | 'time' | 'boolean' | 'json' | 'list' | 'other'

export function kindOf(type: string): ColumnKind {
  if (type.endsWith('[]')) return 'list'
  if (/^(?:smallint|integer|bigint|int\d|real|double|float\d|numeric|decimal)/.test(type)) {
    return 'number'
  }
  if (/^(?:text|varchar|char|bpchar|character|citext|name)/.test(type)) return 'text'
  if (/^(?:timestamp|date|time|interval)/.test(type)) return 'time'
  if (/^bool/.test(type)) return 'boolean'
  if (/^json/.test(type)) return 'json'
  return 'other'
}

const comparisons = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$between', '$in', '$nin']
const nulls = ['$isNull', '$notNull']

const byKind: Readonly<Record<ColumnKind, readonly string[]>> = {
  text: [
    ...['$eq', '$ne', '$in', '$nin', '$startsWith', '$endsWith', '$contains'],
    ...['$like', '$nlike', '$ilike', '$nilike', '$gt', '$gte', '$lt', '$lte', ...nulls],
  ],
  number: [...comparisons, ...nulls],
  time: [...comparisons, ...nulls],
  boolean: ['$eq', '$ne', ...nulls],
  json: ['$contains', '$containedBy', '$hasKey', '$overlaps', ...nulls],
  list: ['$contains', '$containedBy', '$overlaps', '$eq', '$ne', ...nulls],
  other: [...comparisons, ...nulls],
}

export function operatorsFor(type: string): readonly string[] {
  return byKind[kindOf(type)]
}

/** What the value of a condition is: constants, a field of the caller, a moment. */
export type OperandKind = 'value' | 'field' | 'now' | 'written'

export function operandKind(operand: unknown): OperandKind {
  if (typeof operand === 'string' && operand.startsWith('$user.')) return 'field'
  if (typeof operand !== 'object' || operand === null || Array.isArray(operand)) return 'value'
  if ('$literal' in operand) return 'value'
  return '$now' in operand ? 'now' : 'written'
}

/** A constant as the text of an input. */
export function textOf(operand: unknown): string {
  if (Array.isArray(operand)) {
    return operand.every(isSimple) ? operand.map(String).join(', ') : JSON.stringify(operand)
  }
  if (typeof operand === 'object' && operand !== null) {
    return '$literal' in operand ? String(operand.$literal) : JSON.stringify(operand)
  }
  return operand === null || operand === undefined ? '' : String(operand)
}

function isSimple(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && !/[,"]|^\s|\s$|^$/.test(value))
}

/** The constant that a text means for a column. */
export function operandOf(text: string, operator: string, type: string): unknown {
  const { takes = 'one' } = forms[operator] ?? {}
  const kind = kindOf(type)
  if (kind === 'json' || kind === 'list') return looseJson(text, takes === 'list')
  if (takes === 'one') return constantOf(text, kind)
  if (text.trimStart().startsWith('[')) {
    const list = looseJson(text, false)
    if (Array.isArray(list)) return list
  }
  return text.split(',').map((part) => constantOf(part.trim(), kind))
}

function constantOf(text: string, kind: ColumnKind): unknown {
  if (kind === 'boolean') return text === 'true'
  const number = Number(text)
  if (kind === 'number' && text.trim() !== '' && Number.isFinite(number)) {
    return Number.isInteger(number) && !Number.isSafeInteger(number) ? text : number
  }
  return text.startsWith('$user.') ? { $literal: text } : text
}

function looseJson(text: string, isList: boolean): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return isList ? text.split(',').map((part) => part.trim()) : text
  }
}
