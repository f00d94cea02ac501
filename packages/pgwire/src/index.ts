/** @module PostgreSQL wire protocol server. Start at `createPgWireServer`. */
export { createPgWireServer } from './server.ts'
