/** @module One app whose handlers can be replaced while it serves: each request is answered by those of one app. */
import { type ErrorHandler, type Handler, Hono, type NotFoundHandler } from 'hono'
import type { BeforeAnswer, FreshnessOf } from './interactive/freshness.ts'
import { type DirectData, offerDirectData } from './response/direct-data.ts'

/** An app with the handlers that Hono does not show. */
export interface BuiltApp {
  readonly app: Hono
  readonly notFound: NotFoundHandler
  readonly onError: ErrorHandler
  /** undefined where the application provides functions that need a Fetch `Request`. */
  readonly direct?: DirectData | undefined
}

export interface SwitchingApp {
  /** Mounts like any other Hono app. */
  readonly app: Hono
  /** Later requests are answered by this app. It has the same routes. */
  replace(next: BuiltApp): void
}

interface Answering extends Omit<BuiltApp, 'app'> {
  /** In the order of the routes. */
  readonly handlers: readonly Handler[]
}

/** @param freshness what requests wait for, by the path of their route; they use the app of the moment after. */
export function createSwitchingApp(first: BuiltApp, freshness?: FreshnessOf): SwitchingApp {
  const routes = first.app.routes.map(({ method, path }) => ({ method, path }))
  const answering = ({ app, notFound, onError, direct }: BuiltApp): Answering => {
    const isSame = ({ method, path }: { method: string; path: string }, i: number) =>
      method === routes[i]?.method && path === routes[i].path
    if (app.routes.length !== routes.length || !app.routes.every(isSame)) {
      throw new Error('the app has other routes than the one before')
    }
    return {
      notFound,
      onError,
      direct,
      handlers: app.routes.map(({ handler }) => handler as Handler),
    }
  }
  let current = answering(first)
  const app = new Hono()
  for (const [i, { method, path }] of routes.entries()) {
    const answer: Handler = (context, next) => (current.handlers[i] as Handler)(context, next)
    const before = freshness?.(path)
    app.on(method, path, before === undefined ? answer : waiting(before, answer))
  }
  app.notFound((context) => current.notFound(context))
  app.onError((error, context) => current.onError(error, context))
  if (first.direct !== undefined) {
    offerDirectData(
      app,
      switching(first.direct, () => current.direct, freshness),
    )
  }
  return {
    app,
    replace: (next) => {
      current = answering(next)
    },
  }
}

/** @param current the one of the moment. */
function switching(
  first: DirectData,
  current: () => DirectData | undefined,
  freshness: FreshnessOf | undefined,
): DirectData {
  const { path } = first
  const before = freshness?.(path)
  const now = () => current() ?? first
  return {
    path,
    refuse: (arrival, error, outlet) => now().refuse(arrival, error, outlet),
    answer: (arrival, outlet) => {
      let going: Promise<void> | undefined
      try {
        going = before?.()
      } catch (error) {
        now().refuse(arrival, error, outlet)
        return
      }
      if (going === undefined) now().answer(arrival, outlet)
      else {
        going.then(
          () => now().answer(arrival, outlet),
          (error: unknown) => now().refuse(arrival, error, outlet),
        )
      }
    },
  }
}

/** An error of `before` is answered by the app, like any other. */
function waiting(before: BeforeAnswer, answer: Handler): Handler {
  return (context, next) => {
    const going = before()
    return going === undefined ? answer(context, next) : going.then(() => answer(context, next))
  }
}
