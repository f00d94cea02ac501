import { useState } from 'react'
import { auth } from './engine.ts'
import { useRun } from './use-run.ts'

interface LinkProps {
  readonly token: string
  readonly onDone: () => void
}

/** What the link in the mail of a sign-up leads to. A button, since programs that look through mails open links, too. */
export function VerifyEmail({ token, onDone }: LinkProps) {
  const { run, problem } = useRun()
  const confirm = () =>
    run(async () => {
      await auth.verifyEmail({ token })
      onDone()
    })
  return (
    <section className="card">
      <h1>Is this your address?</h1>
      <button type="button" onClick={confirm}>
        Yes, confirm it
      </button>
      <button type="button" className="quiet" onClick={onDone}>
        Not now
      </button>
      {problem && <p role="alert">{problem}</p>}
    </section>
  )
}

/** Reminds a user whose address is not verified yet. */
export function Unverified({ email }: { readonly email: string }) {
  const [isSent, setSent] = useState(false)
  const { run, problem } = useRun()
  const send = () =>
    run(async () => {
      await auth.resendVerification({ email })
      setSent(true)
    })
  return (
    <aside>
      <p>
        {isSent ? 'Another mail is on its way.' : 'Please confirm your address: look for our mail.'}
      </p>
      <button type="button" className="quiet" onClick={send}>
        Mail it again
      </button>
      {problem && <p role="alert">{problem}</p>}
    </aside>
  )
}
