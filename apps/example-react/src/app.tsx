import { useState } from 'react'
import { auth, mailbox } from './engine.ts'
import { takeMailLink } from './mail-link.ts'
import { NewPassword } from './new-password.tsx'
import { Notes } from './notes.tsx'
import { SignIn } from './sign-in.tsx'
import { useRun } from './use-run.ts'
import { useUser } from './use-user.ts'
import { Unverified, VerifyEmail } from './verify-email.tsx'

const mailLink = takeMailLink()

export function App() {
  return (
    <>
      <Page />
      {mailbox && (
        <footer>
          Mails are not sent: <a href={mailbox}>they are in the mailbox</a>.
        </footer>
      )}
    </>
  )
}

function Page() {
  const user = useUser()
  const [link, setLink] = useState(mailLink)
  const { run, problem } = useRun()
  const onDone = () => setLink(undefined)
  switch (link?.page) {
    case 'reset':
      return <NewPassword token={link.token} onDone={onDone} />
    case 'verify':
      return <VerifyEmail token={link.token} onDone={onDone} />
  }
  if (user === undefined) return <SignIn />
  return (
    <>
      <header>
        <p>{user.email}</p>
        <button type="button" onClick={() => run(() => auth.signOut())}>
          Sign out
        </button>
      </header>
      {problem && <p role="alert">{problem}</p>}
      {!user.emailVerified && <Unverified email={user.email} />}
      <Notes key={user.id} />
    </>
  )
}
