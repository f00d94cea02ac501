import { takeLinkToken } from '@engine/client/auth'
import { useState } from 'react'
import { auth } from './engine.ts'
import { NewPassword } from './new-password.tsx'
import { Notes } from './notes.tsx'
import { SignIn } from './sign-in.tsx'
import { useRun } from './use-run.ts'
import { useUser } from './use-user.ts'

/** Read once, when the page is opened, and gone from the address bar before anything else happens. */
const resetToken = takeLinkToken()

export function App() {
  const user = useUser()
  const [token, setToken] = useState(resetToken)
  const { run, problem } = useRun()
  if (token !== undefined) return <NewPassword token={token} onDone={() => setToken(undefined)} />
  if (user === undefined) return <SignIn />
  return (
    <>
      <header>
        <p>{user.email}</p>
        <button type="button" onClick={() => run(() => auth.signOut())}>
          Sign out
        </button>
        {problem && <p role="alert">{problem}</p>}
      </header>
      <Notes key={user.id} />
    </>
  )
}
