/**
 * @module Work that a press of a button starts. It is the only way to change something: one run at a time, locked at the
 * first press; it ends with its form, and what was cancelled is never sent afterwards.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useToasts } from '../components/toast.tsx'
import type { ApiError } from './http.ts'

export interface SubmitOptions<Answer, Input> {
  /** @param signal aborts when the form is closed or the work is cancelled. */
  readonly send: (input: Input, signal: AbortSignal) => Promise<Answer>
  /** Runs as soon as the answer is there; the button stays locked until its promise resolves. */
  readonly onDone?: (answer: Answer, input: Input) => unknown
  readonly onFailed?: (error: ApiError, input: Input) => unknown
  /** Names of the queries that the work changes. They are read again after it, and where its outcome is not known. */
  readonly changes?: readonly string[]
}

export interface Submit<Answer, Input> {
  /** Does nothing while a run is under way. */
  readonly run: (input: Input) => void
  readonly cancel: () => void
  /** Forgets the last answer or error. A run that is under way goes on. */
  readonly reset: () => void
  readonly isPending: boolean
  readonly isCancelled: boolean
  readonly data: Answer | undefined
  readonly error: ApiError | null
  /** Of the last run. */
  readonly variables: Input | undefined
}

type State<Answer, Input> =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly input: Input }
  | { readonly kind: 'cancelled'; readonly input: Input }
  | { readonly kind: 'done'; readonly input: Input; readonly answer: Answer }
  | { readonly kind: 'failed'; readonly input: Input; readonly error: ApiError }

interface Running {
  readonly controller: AbortController
  /** The answer is there: it can no longer be cancelled. */
  isAnswered: boolean
}

export function useSubmit<Answer, Input = void>({
  send,
  onDone,
  onFailed,
  changes = [],
}: SubmitOptions<Answer, Input>): Submit<Answer, Input> {
  const client = useQueryClient()
  const { failed } = useToasts()
  const [state, setState] = useState<State<Answer, Input>>({ kind: 'idle' })
  const running = useRef<Running>(undefined)
  const isGone = useRef(false)
  const readAgain = () =>
    Promise.all(changes.map((name) => client.invalidateQueries({ queryKey: [name] })))
  const abort = () => {
    if (running.current === undefined || running.current.isAnswered) return
    running.current.controller.abort()
    running.current = undefined
    if (changes.length === 0) return
    failed('Cancelled on its way', 'The server may have done it: see what is stored now.')
    void readAgain()
  }
  // The lock opens with the page that shows the outcome: no press comes between.
  useLayoutEffect(() => {
    if (state.kind !== 'running') running.current = undefined
  }, [state])
  // biome-ignore lint/correctness/useExhaustiveDependencies: with the form
  useEffect(() => {
    isGone.current = false
    return () => {
      isGone.current = true
      abort()
    }
  }, [])
  const perform = async (input: Input, run: Running): Promise<void> => {
    const { signal } = run.controller
    let answer: Answer
    try {
      answer = await send(input, signal)
    } catch (failure) {
      if (signal.aborted) return
      run.isAnswered = true
      const error = failure as ApiError
      setState({ kind: 'failed', input, error })
      onFailed?.(error, input)
      if (error.status === 0) await readAgain()
      return
    }
    if (signal.aborted) return
    run.isAnswered = true
    await onDone?.(answer, input)
    setState({ kind: 'done', input, answer })
    await readAgain()
  }
  return {
    run: (input) => {
      if (running.current !== undefined || isGone.current) return
      const run = { controller: new AbortController(), isAnswered: false }
      running.current = run
      setState({ kind: 'running', input })
      void perform(input, run)
    },
    cancel: () => {
      if (running.current === undefined || running.current.isAnswered) return
      abort()
      setState((now) => (now.kind === 'running' ? { kind: 'cancelled', input: now.input } : now))
    },
    reset: () => setState((now) => (now.kind === 'running' ? now : { kind: 'idle' })),
    isPending: state.kind === 'running',
    isCancelled: state.kind === 'cancelled',
    data: state.kind === 'done' ? state.answer : undefined,
    error: state.kind === 'failed' ? state.error : null,
    variables: state.kind === 'idle' ? undefined : state.input,
  }
}
