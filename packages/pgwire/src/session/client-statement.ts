/** @module What a statement asks for, before anybody looks at names: whose work it is. */
import type { GatewayError } from '@engine/core'
import type { SessionCommand } from './session-command.ts'
import type { ConfigAssignment } from './set-config.ts'

/** One statement of a text. `sql` is its own part of it, without comments before it and the `;` behind it. */
export type ClientStatement = {
  readonly sql: string
  /** Characters of the client's text before `sql`: positions of errors count from the whole. */
  readonly offset: number
} & StatementRoute

/** Whose work a statement is. `empty` is what a prepared statement of no text is: `readStatements` gives none. */
export type StatementRoute =
  | { readonly kind: 'empty' }
  /** For the engine: reads and writes of the user's tables. */
  | { readonly kind: 'query' }
  /** Reads the system catalogs, or no table at all. `assignments`: what it sets besides. */
  | { readonly kind: 'catalog'; readonly assignments?: readonly ConfigAssignment[] }
  /** Steers the session: transactions, settings, prepared statements, cursors, COPY. */
  | { readonly kind: 'command'; readonly command: SessionCommand }
  /** Known to be refused: DDL, both kinds of tables in one statement ... Told when it is its turn. */
  | { readonly kind: 'refused'; readonly error: GatewayError }

/** A statement's own text, and where it stands in the client's. */
export interface StatementText {
  readonly sql: string
  /** In characters. */
  readonly offset: number
  /** `location` of a node → position in `sql`, in characters from 1. */
  readonly positionOf: (location: number) => number
}

/** How a statement inside of another one finds its own way. */
export type RouteStatement = (tree: unknown, text: StatementText) => StatementRoute
