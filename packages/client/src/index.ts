/** @module A client of an engine. Start at `createClient`. */
export {
  type ActionsWithoutInput,
  type ActionTypes,
  type AnyActions,
  type CallOptions,
  type Client,
  type ClientOptions,
  createClient,
  type QueryClient,
  type TokenSource,
} from './client.ts'
export { EngineError, type EngineErrorCode, type EngineErrorFacts } from './engine-error.ts'
export type { TransportOptions } from './transport/transport.ts'
