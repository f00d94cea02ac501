/** @module The way from the overview into the first run. */
import type { EngineStatus } from '@engine/contract/admin-api'
import { ArrowRight, Compass } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import css from './get-started.module.css'
import { isUnfinished, progressOf } from './start-address.ts'

/** Nothing where the first run is done, or where code defines the configuration. */
export function GetStarted({ status }: { readonly status: EngineStatus }): ReactNode {
  if (!isUnfinished(status)) return null
  const { isConnected } = progressOf(status)
  return (
    <section className={css['card']} aria-label="Get started">
      <Compass aria-hidden />
      <div className={css['texts']}>
        <p className={css['title']}>
          {isConnected ? 'Give a role its rules' : 'Connect your first database'}
        </p>
        <p className={css['text']}>
          {isConnected
            ? 'The database is connected, and no rule grants anything yet: every statement is refused.'
            : 'Five steps lead from its address to a role that reads its own rows.'}
        </p>
      </div>
      <Link href="/start" className={css['go']}>
        Continue <ArrowRight aria-hidden />
      </Link>
    </section>
  )
}
