/** @module The bar over every page while requests do not reach the server. */
import { CloudOff } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { ApiError } from '../api/http.ts'
import { queries } from '../api/query-client.ts'
import { lostSince, useLostSince, whenReachChanges } from '../api/reach.ts'
import { clockTime } from '../components/ago.ts'
import { Button } from '../components/button.tsx'
import css from './no-connection.module.css'

export function NoConnection(): ReactNode {
  const since = useLostSince()
  useEffect(() => {
    // The browser's word is a reason to ask the server, and no answer.
    addEventListener('online', ask)
    addEventListener('offline', ask)
    const end = whenReachChanges(() => {
      if (lostSince() === undefined) readFailed()
    })
    return () => {
      removeEventListener('online', ask)
      removeEventListener('offline', ask)
      end()
    }
  }, [])
  return (
    <div role="status" className={css['place']}>
      {since !== undefined && (
        <div className={css['bar']}>
          <CloudOff aria-hidden />
          <p>
            <strong>No connection since {timeOf(since)}.</strong> What you see may be old. Nothing
            is saved, now or later, until you save it again.
          </p>
          <Button size="small" onClick={ask}>
            Try now
          </Button>
        </div>
      )}
    </div>
  )
}

function ask(): void {
  void queries.refetchQueries({ queryKey: ['status'] })
}

/** Reads what had no answer. */
function readFailed(): void {
  void queries.invalidateQueries({
    predicate: ({ state: { error } }) => error instanceof ApiError && error.status === 0,
  })
}

/** With its day, when that is not today. */
function timeOf(atMs: number): string {
  const time = clockTime(atMs, false)
  const day = new Date(atMs).toLocaleDateString()
  return day === new Date().toLocaleDateString() ? time : `${day}, ${time}`
}
