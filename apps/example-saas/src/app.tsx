import { takeLinkToken } from '@engine/client/auth'
import { useState } from 'react'
import { mailbox } from './engine.ts'
import { Invitation } from './invitation.tsx'
import { SignIn } from './sign-in.tsx'
import { useUser } from './use-user.ts'
import { Workspace } from './workspace.tsx'

/** Of the link in the mail of an invitation. Read once, when the page is opened, and gone from the address bar. */
const invitationToken = location.hash.startsWith('#/invitation') ? takeLinkToken() : undefined
if (location.hash.startsWith('#/invitation')) {
  history.replaceState(history.state, '', location.pathname + location.search)
}

export function App() {
  const user = useUser()
  const [token, setToken] = useState(invitationToken)
  return (
    <>
      {token !== undefined && <Invitation token={token} onDone={() => setToken(undefined)} />}
      {token === undefined && user === undefined && <SignIn />}
      {token === undefined && user !== undefined && <Workspace key={user.id} />}
      {mailbox && (
        <footer>
          Mails are not sent: <a href={mailbox}>they are in the mailbox</a>.
        </footer>
      )}
    </>
  )
}
