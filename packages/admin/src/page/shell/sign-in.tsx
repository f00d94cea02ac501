import { type FormEvent, type ReactNode, useState } from 'react'
import { useSubmit } from '../api/use-submit.ts'
import { Button } from '../components/button.tsx'
import { Field, TextInput } from '../components/field.tsx'
import { Mark } from './mark.tsx'
import css from './sign-in.module.css'

/** The key leaves the page with the request, and is not kept. */
export function SignIn({
  reason,
  onSignIn,
}: {
  readonly reason: string | undefined
  readonly onSignIn: (masterKey: string, signal: AbortSignal) => Promise<void>
}): ReactNode {
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
    <main className={css['page']}>
      <form className={css['form']} onSubmit={submit}>
        <Mark size={36} />
        <div>
          <h1 className={css['title']}>Sign in to Engine</h1>
          <p className={css['lead']}>
            {reason ?? 'For administrators of this engine, with its master key.'}
          </p>
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
          A session ends after 30 minutes without use, and after 8 hours in any case. Every sign-in
          is recorded in the audit.
        </p>
      </form>
    </main>
  )
}
