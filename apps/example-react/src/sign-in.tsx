import { type SubmitEvent, useState } from 'react'
import { auth } from './engine.ts'
import { useRun } from './use-run.ts'

export function SignIn() {
  const [isMailed, setMailed] = useState(false)
  const { run, problem } = useRun()
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget, event.nativeEvent.submitter)
    const email = String(fields.get('email'))
    const password = String(fields.get('password'))
    run(async () => {
      switch (fields.get('button')) {
        case 'sign-up':
          return auth.signUp({ email, password })
        case 'forgot':
          await auth.forgotPassword({ email })
          return setMailed(true)
        default:
          return auth.signIn({ email, password })
      }
    })
  }
  return (
    <form className="card" onSubmit={onSubmit}>
      <h1>Notes</h1>
      <label>
        E-mail
        <input name="email" type="email" autoComplete="username" required />
      </label>
      <label>
        Password
        <input name="password" type="password" autoComplete="current-password" />
      </label>
      <button type="submit">Sign in</button>
      <button type="submit" className="quiet" name="button" value="sign-up">
        Sign up
      </button>
      <button type="submit" className="quiet" name="button" value="forgot">
        Forgot it
      </button>
      {isMailed && (
        <p role="status">If there is an account with this address, a mail is on its way to it.</p>
      )}
      {problem && <p role="alert">{problem}</p>}
    </form>
  )
}
