/** @module `POST /data` beneath the router: the same answers, for servers that pass it their requests. */
import type { Engine } from '@engine/core'
import type { Hono } from 'hono'
import type { Admission } from '../admission/admission.ts'
import type { IncomingRequest } from '../request/incoming-request.ts'
import { dataRoute } from '../routes/data.ts'
import type { Answer, WholeBody } from './answer.ts'
import {
  type AnswerForm,
  type AnsweringOptions,
  type Arrival,
  createAnswering,
} from './answer-calls.ts'

/** An answer with all its headers. */
export interface PlainAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: WholeBody
}

/** Answers `POST /data`. */
export interface DirectData {
  /** `/data`, below the path of the app. */
  readonly path: string
  answer(arrival: Arrival<IncomingRequest>, outlet: Outlet): void
  /** Answers with the error of something that had to be done before. */
  refuse(arrival: Arrival<IncomingRequest>, error: unknown, outlet: Outlet): void
}

/** One of the two is called, once. */
export interface Outlet {
  send(answer: PlainAnswer): void
  /** The answering itself has failed. */
  fail(error: unknown): void
}

export interface DirectDataOptions extends AnsweringOptions {
  readonly engine: Engine
  readonly admission: Pick<Admission<IncomingRequest>, 'admitAhead' | 'again'>
  readonly basePath: string | undefined
}

export function createDirectData(options: DirectDataOptions): DirectData {
  const { engine, admission, isDevelopment, basePath = '' } = options
  const answer = createAnswering<IncomingRequest, Answer<WholeBody>, PlainAnswer>(
    options,
    toPlainAnswer,
  )
  const route = dataRoute(engine, admission, isDevelopment)
  return {
    path: `${basePath}/data`,
    answer: (arrival, { send, fail }) => answer(arrival, route, send, fail),
    refuse: (arrival, error, { send, fail }) => {
      const refused = () => {
        throw error
      }
      answer(arrival, refused, send, fail)
    },
  }
}

const toPlainAnswer: AnswerForm<Answer<WholeBody>, PlainAnswer> = (made, headersWith) => ({
  status: made.status,
  headers: headersWith(made.headers),
  body: made.body,
})

const ofApps = new WeakMap<Pick<Hono, 'fetch'>, DirectData>()

/** Whoever serves this app by itself can use `direct` for its requests. */
export function offerDirectData(app: Hono, direct: DirectData): void {
  ofApps.set(app, direct)
}

/** @returns undefined for an app that has none, or is mounted in another one. */
export function directDataOf(app: Pick<Hono, 'fetch'>): DirectData | undefined {
  return ofApps.get(app)
}
