import type { SubmitEvent } from 'react'
import { auth } from './engine.ts'
import { useRun } from './use-run.ts'

/** What the link in a mail leads to. */
export function NewPassword({
  token,
  onDone,
}: {
  readonly token: string
  readonly onDone: () => void
}) {
  const { run, problem } = useRun()
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const password = String(new FormData(event.currentTarget).get('password'))
    run(async () => {
      await auth.resetPassword({ token, password })
      onDone()
    })
  }
  return (
    <form className="card" onSubmit={onSubmit}>
      <h1>Choose a new password</h1>
      <label>
        New password
        <input name="password" type="password" autoComplete="new-password" required />
      </label>
      <button type="submit">Save</button>
      {problem && <p role="alert">{problem}</p>}
    </form>
  )
}
