/** @module For the wire protocol: sessions of clients, and reading their statements. */

// Sessions of clients.

export { typeContains } from '../compiler/bind/styled-operation.ts'
export type { CursorReference } from '../compiler/bind/tree/current-row.ts'
export type { CursorRows, RowPlace } from '../compiler/bind/tree/cursor-rows.ts'
export type { SessionStyles, SessionTimeZone } from '../compiler/bind/tree/session-time-zone.ts'
export { type SleepFunction, sleepsElsewhere } from '../compiler/sql/sleep-call.ts'
export type {
  ChannelAddress,
  ClientSession,
  RowOverflow,
  SessionCursor,
  SessionStatement,
} from '../runtime/client-session/client-session.ts'
export type {
  VisibleCatalog,
  VisibleColumn,
  VisibleConnection,
  VisibleForeignKey,
  VisibleIndex,
  VisibleTable,
} from '../runtime/client-session/visible-catalog.ts'
export { type ClientTableName, visibleTable } from '../runtime/client-session/visible-table.ts'
export { sleepSeconds } from '../runtime/execute/sleep.ts'
export { tooManyRows } from '../runtime/guard/row-overflow.ts'
export type {
  DescribedColumn,
  StatementDescription,
} from '../runtime/prepare/statement-description.ts'
export type { CurrentRowOf, RowPlaceTexts } from '../runtime/query/current-rows.ts'

// The server's interface.

export type {
  PgWireCertificate,
  PgWireLoad,
  PgWireRefusal,
  PgWireServerFactory,
  PgWireServerOptions,
  PgWireSession,
  PgWireSiblings,
  PgWireSignal,
} from '../engine/pg-wire-server.ts'

// Statements, for code that reads SQL before the engine does.

export type { PlanLineOptions } from '../compiler/plan/plan-options.ts'
export { acceptedNodes } from '../compiler/sql/accepted-nodes.ts'
export { loadParser } from '../compiler/sql/parser-module.ts'
export type { ScriptStatement } from '../compiler/sql/split-script.ts'
export { forEachToken } from '../compiler/sql/tokens.ts'
export { parseScript } from '../runtime/limits/parse-script.ts'
export { readExplainStatement } from '../runtime/query/explain-statement.ts'
