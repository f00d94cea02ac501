import { type SubmitEvent, useCallback, useEffect, useState } from 'react'
import { client } from './engine.ts'
import type { InvitationsAction, InviteAction } from './generated/actions.ts'
import { useRun } from './use-run.ts'

/** For owners. All of it are actions: the server takes the organisation from the caller. */
export function Invitations() {
  const [list, setList] = useState<InvitationsAction['output']>([])
  const { run, problem } = useRun()
  const load = useCallback(async () => setList(await client.action('invitations', {})), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => run(load), [])

  const invite = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const fields = new FormData(form)
    const role = fields.get('role') as InviteAction['input']['role']
    run(async () => {
      await client.action('invite', { email: String(fields.get('email')), role })
      form.reset()
      await load()
    })
  }
  const revoke = (id: string) =>
    run(async () => {
      await client.action('revokeInvitation', { id })
      await load()
    })
  return (
    <section className="card" aria-labelledby="invitations">
      <h2 id="invitations">Invite a colleague</h2>
      <form onSubmit={invite}>
        <label>
          E-mail of the colleague
          <input name="email" type="email" required />
        </label>
        <label>
          Role
          <select name="role">
            <option value="member">Member</option>
            <option value="owner">Owner</option>
          </select>
        </label>
        <button type="submit">Send the invitation</button>
      </form>
      {problem && <p role="alert">{problem}</p>}
      <ul aria-label="Invitations">
        {list.map(({ id, email, role, expiresAt }) => (
          <li key={id}>
            <span className="person">
              <strong>{email}</strong>
              <small>
                {role}, until {new Date(expiresAt).toLocaleDateString('en-GB')}
              </small>
            </span>
            <button type="button" className="quiet" onClick={() => revoke(id)}>
              Revoke
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
