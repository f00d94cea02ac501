/** @module Finds a shared plan for a statement with literals in its text: `… where id = 5` → `… where id = $1`. */
import { GatewayError } from '@engine/core'
import type { SessionStatement, StatementDescription } from '@engine/core/session'
import { LRUCache } from 'lru-cache'
import { autoParameterize, type ParameterizedText } from '../syntax/auto-parameterize.ts'
import type { ValueSettings } from '../values/cell-format.ts'
import { formOfType } from '../values/form-of-type.ts'
import type { QueryRun } from './execute/run-query.ts'
import type { SessionParts } from './parts/session-parts.ts'
import { readStatements } from './reading/read-statements.ts'
import type { ClientStatement } from './statements/client-statement.ts'

/** A query of the engine whose literals became parameters. */
export interface ParameterizedQuery {
  readonly statement: ClientStatement
  readonly run: QueryRun
}

/** A statement that several texts share. */
interface Template {
  readonly statement: ClientStatement
  /** The same object for all texts: plans are cached by its identity. */
  readonly request: SessionStatement
  /** The latest description; valid for callers with the same visible catalog. */
  known: { readonly visibleKey: string; readonly description: StatementDescription } | undefined
}

/** `unfit`: the text with parameters is invalid, or has another meaning. */
const templates = new LRUCache<string, Template | 'unfit'>({
  max: 4096,
  maxSize: 4 * 1024 * 1024,
  sizeCalculation: (_, key) => key.length,
})

/**
 * Undefined where the text runs unchanged: it is not a single query of the engine, it has an error (so that errors
 * refer to the client's own text), or the result depends on a value being a literal.
 *
 * @throws {GatewayError} when the caller lacks a permission
 */
export function findParameterizedQuery(
  parts: SessionParts,
  sql: string,
): ParameterizedQuery | undefined | Promise<ParameterizedQuery | undefined> {
  const { block, client, settings, lookups } = parts
  if (block.isFailed()) return undefined
  const parameterized = autoParameterize(sql)
  if (parameterized === undefined) return undefined
  const searchPath = settings.searchPath()
  const { timeZone, textSearch } = lookups.facts()
  const oids = parameterized.parameterOids.join()
  const key = `${parameterized.sql}\0${oids}\0${timeZone?.name ?? ''}\0${textSearch ?? ''}\0${searchPath.join()}`
  let template = templates.get(key)
  if (template === undefined) {
    template = readTemplate(parameterized, { searchPath, timeZone, textSearch })
    templates.set(key, template)
  }
  if (template === 'unfit') return undefined
  const { known } = template
  return known?.visibleKey === client.visible().key
    ? queryOf(parts, template, parameterized, known.description)
    : describeTemplate(parts, key, template, parameterized)
}

async function describeTemplate(
  parts: SessionParts,
  key: string,
  template: Template,
  parameterized: ParameterizedText,
): Promise<ParameterizedQuery | undefined> {
  const { client, running } = parts
  const signal = running.signal()
  const visibleKey = client.visible().key
  try {
    const description = await client.describe(template.request, signal)
    template.known = { visibleKey, description }
    return queryOf(parts, template, parameterized, description)
  } catch (error) {
    if (!(error instanceof GatewayError) || isRefusal(error) || signal.aborted) throw error
    if (!isOfTheCaller(error)) templates.set(key, 'unfit')
    return undefined
  }
}

function queryOf(
  { lookups }: SessionParts,
  { statement, request }: Template,
  { values, parameterOids }: ParameterizedText,
  description: StatementDescription,
): ParameterizedQuery | undefined {
  const settings = request.timeZone && lookups.values()
  const params = values.map((text, i) =>
    parameterOids[i] === 0 ? valueIn(description, i, text, settings) : text,
  )
  return params.every(isDefined) ? { statement, run: { request, params } } : undefined
}

function readTemplate(
  { sql, parameterOids }: ParameterizedText,
  context: Pick<SessionStatement, 'searchPath' | 'timeZone' | 'textSearch'>,
): Template | 'unfit' {
  try {
    const [statement, second] = readStatements(sql)
    if (statement?.kind !== 'query' || second !== undefined) return 'unfit'
    const request = { ...context, sql: statement.sql, parameterOids }
    return { statement, request, known: undefined }
  } catch (error) {
    if (error instanceof GatewayError) return 'unfit'
    throw error
  }
}

/**
 * Returns the value of a string. Undefined where the text is not a value of its type: then the client's own text runs,
 * so that the position of the error is right.
 *
 * @param settings of the session, whose time zone is used
 */
function valueIn(
  { types, parameterTypes }: StatementDescription,
  index: number,
  text: string,
  settings: ValueSettings | undefined,
): string | undefined {
  const type = parameterTypes[index]
  if (type === undefined) return undefined
  const respell = settings && formOfType(types, type.oid).fromSession?.(settings)
  try {
    const value = respell?.(text) ?? text
    return types.parseInput(type.oid, type.typmod, value, 'explicit').ok ? value : undefined
  } catch (error) {
    if (error instanceof GatewayError) return undefined
    throw error
  }
}

function isDefined(value: string | undefined): value is string {
  return value !== undefined
}

/** The first refusal was recorded in the audit: once is enough. */
function isRefusal({ status }: GatewayError): boolean {
  return status === 401 || status === 403 || status === 429
}

/** Another caller may have other rights, and the catalog may change later. */
function isOfTheCaller({ problem, status }: GatewayError): boolean {
  return problem === 'tableNotFound' || problem === 'unknownColumn' || status >= 500
}
