import type { SubmitEvent } from 'react'
import { auth, client } from './engine.ts'
import { useRun } from './use-run.ts'

/** The second step of a sign-up. */
export function NewOrganisation({ onDone }: { readonly onDone: () => Promise<void> }) {
  const { run, problem } = useRun()
  const onSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const name = String(new FormData(event.currentTarget).get('organisation'))
    run(async () => {
      await client.action('createOrganisation', { name })
      await onDone()
    })
  }
  return (
    <form className="card entrance" onSubmit={onSubmit}>
      <header>
        <p className="product">Workbench</p>
        <h1>Name your organisation</h1>
      </header>
      <label>
        Organisation
        <input name="organisation" autoComplete="organization" required maxLength={100} />
      </label>
      {problem && <p role="alert">{problem}</p>}
      <button type="submit">Create it</button>
      <button type="button" className="quiet" onClick={() => run(() => auth.signOut())}>
        Sign out
      </button>
    </form>
  )
}
