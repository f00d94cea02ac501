/**
 * @module Checks the rows that a failed write would have stored. A database reports a taken key or a missing parent before it
 * evaluates the check of a permission. A caller who may not store a row could use these errors to find out which rows exist.
 * After such an error these queries find out whether the rows would have failed their check anyway.
 */
import type { CommonTable, CteId, Query, SelectQuery, Write } from '../../bind/tree/bound-query.ts'
import { isWrite } from '../../bind/tree/map-query.ts'
import { readsTables } from '../../bind/tree/reads-tables.ts'
import {
  type Visitor,
  visitQuery,
  visitStatement,
  visitWrite,
} from '../../bind/tree/visit-query.ts'
import { isVolatileQuery } from '../../bind/tree/volatility.ts'
import { mayShareRows, readsOneOf } from '../../bind/tree/written-table.ts'
import type { Table } from '../../catalog/catalog.ts'
import { type AuthorizedStatement, rewriteAuthorized } from '../authorize/authorized.ts'
import { holdsOnceWritten } from './holds-once-written.ts'
import { proposedInserts, refusedProposals } from './proposed-insert.ts'
import type { ProposalContext } from './proposed-row.ts'
import { proposedUpdate } from './proposed-update.ts'
import { withoutUnread } from './without-unread.ts'

/** Queries that decide about a failed write. */
export interface Recheck {
  /** Each returns a row when a row of the write fails its check. */
  readonly queries: readonly AuthorizedStatement[]
  /**
   * False when the result cannot be known without writing: cells that the database computes, values that differ from one
   * evaluation to the next, rows that another write of the statement returns, a table that it writes twice with ON CONFLICT, a policy
   * that reads the written table. Then the check counts as failed.
   */
  readonly isComplete: boolean
  /** No query reads a table: the result is the same in every state of the database. */
  readonly isPure: boolean
}

/** The queries contain only parts that were authorized with the write: they do not read rows that the caller may not touch. */
export function recheckOf(statement: AuthorizedStatement): Recheck {
  const recheck = queriesFor(statement, rowsThatFail)
  return { ...recheck, isComplete: recheck.isComplete && !writesMeet(statement) }
}

/**
 * Does it depend on other writes of the statement to the same table which rows a write stores, or whether they pass its check?
 * Another write may delete a row that ON CONFLICT would have met, or that a policy looks for. All other writes take their rows
 * and values from the tables as they are now.
 */
function writesMeet(statement: AuthorizedStatement): boolean {
  const writes: Write[] = []
  visitStatement(statement, { write: (write) => void writes.push(write) })
  const written = writes.map(({ target }) => target.table)
  const tables = new Set<Table>(written)
  const isShared = written.some((table, i) =>
    written.slice(i + 1).some((other) => mayShareRows(table, other)),
  )
  if (!isShared) return false
  return writes.some(
    (write) =>
      (write.kind === 'insert' && write.onConflict !== undefined) ||
      [write.security?.check, ...(write.security?.oldConditions ?? [])].some(
        (condition) => condition !== undefined && readsOneOf(condition, tables),
      ),
  )
}

function queriesFor(
  statement: AuthorizedStatement,
  rowsOf: (write: Write, context: ProposalContext) => readonly SelectQuery[],
): Recheck {
  const { types } = statement.connection
  let id = statement.nextId
  let isKnowable = true
  const context: ProposalContext = {
    types,
    nextId: () => id++,
    missUnknowable: () => {
      isKnowable = false
    },
  }
  const { known, isComplete } = writesOf(statement.body)
  const queries = known.flatMap(({ write, ctes }) =>
    rowsOf(write, context).map((query): SelectQuery => withoutUnread({ ...query, ctes })),
  )
  return {
    queries: queries.map((body) =>
      rewriteAuthorized(statement, (bound) => ({ ...bound, body, nextId: id })),
    ),
    isComplete:
      isComplete &&
      isKnowable &&
      !queries.some(isVolatileQuery) &&
      known.every(({ write }) => holdsOnceWritten(write)),
    isPure: !queries.some(readsTables),
  }
}

/**
 * The queries that run before an INSERT with ON CONFLICT. The database reports nothing about a row that it does not store, so a
 * caller who may not store the row could learn from that whether another row has its key.
 */
export function precheckOf(statement: AuthorizedStatement): Recheck {
  return queriesFor(statement, refused)
}

function refused(write: Write, context: ProposalContext): readonly SelectQuery[] {
  return write.kind === 'insert' ? refusedProposals(write, context) : []
}

/** Has an INSERT of the statement ON CONFLICT and a check? */
export function needsPrecheck(statement: AuthorizedStatement): boolean {
  let isFound = false
  visitStatement(statement, {
    write: ({ security }) => {
      if (security?.proposed !== undefined) isFound = true
    },
  })
  return isFound
}

function rowsThatFail(write: Write, context: ProposalContext): readonly SelectQuery[] {
  switch (write.kind) {
    case 'insert':
      return proposedInserts(write, context)
    case 'update':
      return proposedUpdate(write, context)
    case 'delete':
      return []
  }
}

/** Has a write of the statement a check? */
export function needsRecheck(statement: AuthorizedStatement): boolean {
  let isFound = false
  visitStatement(statement, {
    write: ({ security }) => {
      if (security?.check !== undefined) isFound = true
    },
  })
  return isFound
}

interface KnownWrite {
  readonly write: Write
  /** WITH queries that the write may refer to. */
  readonly ctes: readonly CommonTable[]
}

/** The writes with a check, except those that read what other writes of the statement return. */
function writesOf(body: Query | Write): {
  readonly known: readonly KnownWrite[]
  readonly isComplete: boolean
} {
  const known: KnownWrite[] = []
  const written = new Set<CteId>()
  const reads: CommonTable[] = []
  let isComplete = true
  const add = (write: Write, ctes: readonly CommonTable[]) => {
    if (write.security?.check === undefined) return
    if (refersTo(write, written)) isComplete = false
    else known.push({ write, ctes })
  }
  for (const cte of body.ctes) {
    if (isWrite(cte.query)) {
      add(cte.query, [...reads, ...cte.query.ctes])
      written.add(cte.id)
    } else if (refersTo(cte.query, written)) written.add(cte.id)
    else reads.push(cte)
  }
  if (isWrite(body)) add(body, reads)
  return { known, isComplete }
}

function refersTo(body: Query | Write, ctes: ReadonlySet<CteId>): boolean {
  let isFound = false
  const visitor: Visitor = {
    fromItem: (item) => {
      if (item.kind === 'cte' && ctes.has(item.cte)) isFound = true
    },
  }
  if (isWrite(body)) visitWrite(body, visitor)
  else visitQuery(body, visitor)
  return isFound
}
