/** @module A dialog in the middle, and a drawer at the edge. */
import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useAskBeforeUnload } from '../drafts/use-ask-before-unload.ts'
import { Button } from './button.tsx'
import { classes } from './classes.ts'
import css from './dialog.module.css'

export interface DialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: ReactNode
  readonly description?: ReactNode
  readonly children?: ReactNode
  /** Buttons, the main one last. */
  readonly footer?: ReactNode
  /** `drawer`: at the right edge, for details of a row. */
  readonly place?: 'middle' | 'drawer'
  readonly isWide?: boolean
  /** Makes the content a form. */
  readonly onSubmit?: () => void
  /** What is typed is kept as a draft; else the browser asks before a reload loses it. */
  readonly keepsEdits?: boolean
}

export function Dialog({
  isOpen,
  onClose,
  title,
  description,
  children,
  footer,
  place = 'middle',
  isWide = false,
  onSubmit,
  keepsEdits = false,
}: DialogProps): ReactNode {
  const [isTyped, setTyped] = useState(false)
  useAskBeforeUnload(isOpen && isTyped && !keepsEdits)
  const content = (
    <>
      <div className={css['body']}>{children}</div>
      {footer !== undefined && <div className={css['footer']}>{footer}</div>}
    </>
  )
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit?.()
  }
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={css['backdrop']} />
        <Base.Popup className={classes(css['popup'], css[place], isWide && css['wide'])}>
          <div className={css['head']}>
            <div className={css['titles']}>
              <Base.Title className={css['title']}>{title}</Base.Title>
              {description !== undefined && (
                <Base.Description className={css['description']}>{description}</Base.Description>
              )}
            </div>
            <Base.Close
              render={
                <Button look="ghost" size="small" icon={<X aria-hidden />} aria-label="Close" />
              }
            />
          </div>
          {onSubmit === undefined ? (
            content
          ) : (
            <form className={css['form']} onSubmit={submit} onInput={() => setTyped(true)}>
              {content}
            </form>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** Asks before something ends. */
export function Confirm({
  isOpen,
  title,
  text,
  action,
  isBusy,
  onConfirm,
  onClose,
}: {
  readonly isOpen: boolean
  readonly title: string
  readonly text: ReactNode
  readonly action: string
  readonly isBusy: boolean
  readonly onConfirm: () => void
  readonly onClose: () => void
}): ReactNode {
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={title}
      description={text}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" isBusy={isBusy} onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    />
  )
}
