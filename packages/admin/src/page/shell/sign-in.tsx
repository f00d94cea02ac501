import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useSubmit } from '../api/use-submit.ts'
import { Button } from '../components/button.tsx'
import { Field, TextInput } from '../components/field.tsx'
import { Mark } from './mark.tsx'
import css from './sign-in.module.css'

export function SignIn(props: {
  readonly reason: string | undefined
  readonly onSignIn: SignInFormProps['onSignIn']
}): ReactNode {
  return (
    <main className={css['page']}>
      <SignInForm
        title="Sign in to Engine"
        lead={props.reason ?? 'For administrators of this engine, with its master key.'}
        onSignIn={props.onSignIn}
      />
    </main>
  )
}

/** Over a page whose session has ended: it stays as it is, and nobody reads it meanwhile. */
export function SignInAgain({ onSignIn }: Pick<SignInFormProps, 'onSignIn'>): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null)
  // The top layer of the browser: also over other dialogs, which stay open.
  const open = () => {
    if (dialog.current?.open === false) dialog.current.showModal()
  }
  useEffect(open, [])
  return createPortal(
    <dialog
      ref={dialog}
      className={css['again']}
      aria-label="Sign in again"
      onCancel={(event) => event.preventDefault()}
      onClose={open}
      onKeyDown={(event) => event.stopPropagation()}
    >
      <SignInForm
        title="Your session has ended"
        lead="Sign in again: the page is as you left it, and does nothing by itself. With another account it is left."
        onSignIn={onSignIn}
      />
    </dialog>,
    document.body,
  )
}

interface SignInFormProps {
  readonly title: string
  readonly lead: string
  readonly onSignIn: (masterKey: string, signal: AbortSignal) => Promise<void>
}

/** The key leaves the page with the request, and is not kept. */
function SignInForm({ title, lead, onSignIn }: SignInFormProps): ReactNode {
  const [key, setKey] = useState('')
  const work = useSubmit<void, string>({
    send: onSignIn,
    onFailed: () => setKey(''),
  })
  const error =
    work.error === null
      ? undefined
      : work.error.status === 401
        ? 'This is not the master key.'
        : work.error.message
  const submit = (event: FormEvent) => {
    event.preventDefault()
    work.run(key)
  }
  return (
    <form className={css['form']} onSubmit={submit}>
      <Mark size={36} />
      <div>
        <h1 className={css['title']}>{title}</h1>
        <p className={css['lead']}>{lead}</p>
      </div>
      <Field
        label="Master key"
        error={error}
        hint={
          <>
            The value of <code>masterKey</code> in the configuration.
          </>
        }
      >
        {(ids) => (
          <TextInput
            {...ids}
            type="password"
            autoComplete="off"
            autoFocus
            required
            value={key}
            onChange={(event) => setKey(event.currentTarget.value)}
          />
        )}
      </Field>
      <Button type="submit" look="primary" isBusy={work.isPending}>
        Sign in
      </Button>
      <p className={css['note']}>
        A session ends after 30 minutes without use, and after 8 hours in any case. Every sign-in is
        recorded in the audit.
      </p>
    </form>
  )
}
