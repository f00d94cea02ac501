import type { WireConnection } from '@engine/contract/admin-api'
import type { ReactNode } from 'react'
import { duration } from '../../components/ago.ts'
import { Status, type Tone } from '../../components/badge.tsx'

const states: Readonly<Record<WireConnection['state'], readonly [label: string, tone: Tone]>> = {
  active: ['Runs', 'green'],
  idleInTransaction: ['In a transaction', 'amber'],
  idle: ['Idle', 'grey'],
}

/** What a connection does, and since when. */
export function State({ connection }: { readonly connection: WireConnection }): ReactNode {
  const [label, tone] = states[connection.state]
  const seconds = (Date.now() - Date.parse(connection.since)) / 1_000
  return (
    <Status tone={tone}>
      {label} <span className="faint numbers">for {duration(Math.max(0, seconds))}</span>
    </Status>
  )
}
