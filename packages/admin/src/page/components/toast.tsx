import { Toast as Base } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck, X } from 'lucide-react'
import type { ReactNode } from 'react'
import css from './toast.module.css'

/** Short messages about work that was done, or failed. */
export interface Toasts {
  readonly done: (title: string, description?: string, action?: ToastAction) => void
  readonly failed: (title: string, description?: string) => void
}

/** A button that takes the work back, or leads to its result. */
export interface ToastAction {
  readonly label: string
  readonly onPress: () => void
}

export function useToasts(): Toasts {
  const { add, close } = Base.useToastManager()
  const show = (type: string) => (title: string, description?: string, action?: ToastAction) => {
    const isLong = type === 'failed' || action !== undefined
    const id = add({
      title,
      description,
      type,
      timeout: isLong ? 10_000 : 4_000,
      ...(action === undefined ? {} : { actionProps: actionProps(action, () => close(id)) }),
    })
  }
  return { done: show('done'), failed: show('failed') }
}

function actionProps({ label, onPress }: ToastAction, close: () => void) {
  let isPressed = false
  const onClick = () => {
    if (isPressed) return
    isPressed = true
    close()
    onPress()
  }
  return { children: label, onClick }
}

export function ToastProvider({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <Base.Provider limit={3}>
      {children}
      <Base.Portal>
        <Base.Viewport className={css['viewport']}>
          <Shown />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  )
}

function Shown(): ReactNode {
  const { toasts } = Base.useToastManager()
  return toasts.map((toast) => (
    <Base.Root key={toast.id} toast={toast} className={css['toast']}>
      <Base.Content className={css['content']}>
        {toast.type === 'failed' ? (
          <CircleAlert className={css['failed']} aria-hidden />
        ) : (
          <CircleCheck className={css['done']} aria-hidden />
        )}
        <div className={css['texts']}>
          <Base.Title className={css['title']} />
          <Base.Description className={css['description']} />
        </div>
        <Base.Action className={css['action']} />
        <Base.Close className={css['close']} aria-label="Dismiss">
          <X aria-hidden />
        </Base.Close>
      </Base.Content>
    </Base.Root>
  ))
}
