import { Footprints } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../components/button.tsx'
import css from './demo-card.module.css'
import { ResetDemo } from './reset-demo.tsx'
import { showCard } from './tour-store.ts'

/** On the overview of a demo: that it is one, its tour, and the way back to its first state. */
export function DemoCard(): ReactNode {
  return (
    <section className={css['card']} aria-label="Demo">
      <p className={css['text']}>
        <strong>This server serves the demo shop.</strong> Change its rows and rules as you like:
        they begin anew at each start, and with “Reset the demo”.
      </p>
      <Button size="small" icon={<Footprints aria-hidden />} onClick={() => showCard('ask')}>
        Show the tour
      </Button>
      <ResetDemo />
    </section>
  )
}
