import { type SubmitEvent, useState } from 'react'
import { auth } from './engine.ts'
import { useRun } from './use-run.ts'

export function SignIn() {
  const [isNew, setNew] = useState(false)
  const { run, problem } = useRun()
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const fields = new FormData(event.currentTarget)
    const text = (name: string) => String(fields.get(name) ?? '')
    const [email, password] = [text('email'), text('password')]
    run(async () => {
      if (!isNew) return auth.signIn({ email, password })
      return auth.signUp({ email, password, name: text('name') })
    })
  }
  return (
    <form className="card entrance" onSubmit={onSubmit}>
      <header>
        <p className="product">Workbench</p>
        <h1>{isNew ? 'Sign up' : 'Sign in'}</h1>
      </header>
      {isNew && (
        <label>
          Name
          <input name="name" autoComplete="name" required />
        </label>
      )}
      <label>
        E-mail
        <input name="email" type="email" autoComplete="username" required />
      </label>
      <label>
        Password
        <input
          name="password"
          type="password"
          autoComplete={isNew ? 'new-password' : 'current-password'}
          required
        />
      </label>
      {problem && <p role="alert">{problem}</p>}
      <button type="submit">{isNew ? 'Sign up' : 'Sign in'}</button>
      <button type="button" className="quiet" onClick={() => setNew(!isNew)}>
        {isNew ? 'I have an account' : 'Create an account'}
      </button>
    </form>
  )
}
