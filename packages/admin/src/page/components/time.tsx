import { type ReactNode, useEffect, useState } from 'react'
import { ago } from './ago.ts'

const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' })

/** How long ago, with the moment itself on hover. @param at ISO 8601, or milliseconds since 1970. */
export function Time({ at }: { readonly at: string | number | null }): ReactNode {
  const [nowMs, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  if (at === null) return <span className="faint">—</span>
  const date = new Date(at)
  if (Number.isNaN(date.getTime())) return String(at)
  return (
    <time
      dateTime={date.toISOString()}
      title={`${exact.format(date)} (${date.toISOString()})`}
      className="numbers"
    >
      {ago(date.getTime(), nowMs)}
    </time>
  )
}
