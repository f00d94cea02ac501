/** @module What the supervisor and its workers ask each other. */
import type { RateLimit } from '@engine/core'
import type { PgWireSignal } from '@engine/core/session'
import type { MetricValues, RefusedConfiguration } from '@engine/http'

/** The supervisor asks a worker. */
export type QuestionForWorker =
  | { readonly what: 'begin'; readonly begin: Beginning }
  /** Ends with the server: requests get the usual time. */
  | { readonly what: 'stop' }
  /** Ends since another worker has its place: nothing hurries. */
  | { readonly what: 'retire' }
  /** The configuration file was changed and refused: administrators see why. */
  | { readonly what: 'note-refusal'; readonly refusal: RefusedConfiguration }
  | SharedQuestion

/** A worker asks the supervisor. */
export type QuestionForSupervisor =
  | SharedQuestion
  | { readonly what: 'last-metrics'; readonly values: MetricValues }
  /** Answered when the supervisor has closed each socket that the last worker has closed: messages are handled in their order. */
  | { readonly what: 'confirm-closed' }
  | {
      readonly what: 'take'
      readonly limit: RateLimit
      readonly key: string
      readonly count: number
    }
  | { readonly what: 'peek' | 'reset'; readonly limit: RateLimit; readonly key: string }

/** Answered by the workers: the supervisor passes the questions of one on to the others. */
export type SharedQuestion =
  /** @returns whether the worker has the session. */
  | { readonly what: 'signal'; readonly signal: PgWireSignal }
  | { readonly what: 'refresh-catalogs' }
  /** `MetricValues` of one; `MetricsText` of all. */
  | { readonly what: 'metrics' }
  /** `ActivityReport` of one; a list of all. */
  | { readonly what: 'activity' }
  /** A list of `WorkerSession`, of one or of all. */
  | { readonly what: 'wire-sessions' }
  /** `WorkerState` of one; a list of all. */
  | { readonly what: 'state' }

/** What a worker does not read in its configuration. */
export interface Beginning {
  /** From 1 on. */
  readonly worker: number
  /** Signs tokens where the configuration has no `auth.secret`, which only development allows. */
  readonly secret: string
  /** The ports of the first start: the configuration may have changed since. */
  readonly ports: Ports
}

/** 0 is a free port, the same for all workers. */
export interface Ports {
  readonly http: number
  readonly pgWire: number | undefined
  readonly internal: number | undefined
}

/** The answer to `begin`. */
export type Begun =
  | { readonly isReady: true; readonly addresses: Addresses }
  | { readonly isReady: false; readonly message: string; readonly isConfiguration: boolean }

/** Where a process listens. */
export interface Addresses {
  /** `http://127.0.0.1:3001` */
  readonly http: string
  /** `127.0.0.1:5433` */
  readonly pgWire?: string
  readonly internal?: string
}
