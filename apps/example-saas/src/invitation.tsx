import type { InvitedUser } from '@engine/client/auth'
import { type SubmitEvent, useEffect, useState } from 'react'
import { auth } from './engine.ts'
import { useRun } from './use-run.ts'

/** What the link in the mail of an invitation leads to. */
export function Invitation({
  token,
  onDone,
}: {
  readonly token: string
  readonly onDone: () => void
}) {
  const [invited, setInvited] = useState<InvitedUser>()
  const { run, problem } = useRun()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => run(async () => setInvited(await auth.invitation({ token }))), [])

  const accept = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const [name, password] = [String(fields.get('name')), String(fields.get('password'))]
    run(async () => {
      await auth.acceptInvitation({ token, name, password })
      onDone()
    })
  }
  return (
    <form className="card entrance" onSubmit={accept}>
      <header>
        <p className="product">Workbench</p>
        <h1>You are invited</h1>
      </header>
      {invited && (
        <>
          <label>
            E-mail
            <input value={invited.email} autoComplete="username" readOnly />
          </label>
          <label>
            Name
            <input name="name" defaultValue={invited.name} autoComplete="name" required />
          </label>
          <label>
            Password
            <input name="password" type="password" autoComplete="new-password" required />
          </label>
        </>
      )}
      {problem && <p role="alert">{problem}</p>}
      {invited && <button type="submit">Join</button>}
      <button type="button" className="quiet" onClick={onDone}>
        Not now
      </button>
    </form>
  )
}
