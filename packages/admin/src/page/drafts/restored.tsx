import { History } from 'lucide-react'
import type { ReactNode } from 'react'
import { clockTime } from '../components/ago.ts'
import { Button } from '../components/button.tsx'
import css from './restored.module.css'
import type { FormDraft } from './use-draft.ts'

/** Says that a form shows edits that were not saved. */
export function Restored({
  draft: { restored, drop },
  onDiscard,
}: {
  readonly draft: FormDraft<unknown>
  /** Puts back what is in force. */
  readonly onDiscard: () => void
}): ReactNode {
  if (restored === undefined) return null
  const discard = () => {
    drop()
    onDiscard()
  }
  return (
    <div role="status" className={css['restored']}>
      <History aria-hidden />
      <p>You have unsaved changes of {clockTime(restored.atMs, false)}: restored.</p>
      <Button size="small" onClick={discard}>
        Discard
      </Button>
    </div>
  )
}
