/** @module One Fetch handler in front of an engine. Start at `createApp`. */
export { type AppOptions, createApp, type EngineApp } from './app.ts'
export { type Authenticate, createAuthenticator } from './authenticate.ts'
export { type ErrorContext, toErrorResponse } from './error-response.ts'
export { createGateway, type Gateway, type GatewayOptions, needsStore } from './gateway.ts'
