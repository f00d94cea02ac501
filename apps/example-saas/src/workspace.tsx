import { eq } from 'drizzle-orm'
import { useCallback, useEffect, useState } from 'react'
import { auth, db } from './engine.ts'
import { organisations, users } from './generated/schema.ts'
import { Invitations } from './invitations.tsx'
import { type Member, Members } from './members.tsx'
import { NewOrganisation } from './new-organisation.tsx'
import { Projects } from './projects.tsx'
import { useRun } from './use-run.ts'

interface Loaded {
  readonly me: Member
  /** undefined: the user has none yet. */
  readonly organisation: string | undefined
  readonly members: readonly Member[]
}

/** All that a member sees. No query names the organisation: permissions leave only its rows. */
export function Workspace() {
  const [loaded, setLoaded] = useState<Loaded>()
  const { run, problem } = useRun()
  const load = useCallback(async () => setLoaded(await read()), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => run(load), [])

  if (loaded === undefined) return problem ? <p role="alert">{problem}</p> : null
  const { me, organisation, members } = loaded
  if (organisation === undefined) return <NewOrganisation onDone={load} />
  return (
    <>
      <header className="bar">
        <div>
          <p className="product">Workbench</p>
          <h1>{organisation}</h1>
        </div>
        <div className="account">
          <p>
            {me.name || me.email} <span className="role">{me.role}</span>
          </p>
          <button type="button" className="quiet" onClick={() => run(() => auth.signOut())}>
            Sign out
          </button>
        </div>
      </header>
      {problem && <p role="alert">{problem}</p>}
      <div className="columns">
        <Projects members={members} mayDelete={me.role === 'owner'} />
        <div className="side">
          <Members members={members} me={me.id} />
          {me.role === 'owner' && <Invitations />}
        </div>
      </div>
    </>
  )
}

const memberColumns = { id: users.id, email: users.email, name: users.name, role: users.role }

async function read(): Promise<Loaded> {
  const id = auth.current()?.user.id ?? ''
  const [me] = await db.select(memberColumns).from(users).where(eq(users.id, id))
  if (me === undefined) throw new Error('the user has no row')
  if (me.role === 'newcomer') return { me, organisation: undefined, members: [] }
  const [found, members] = await Promise.all([
    db.select({ name: organisations.name }).from(organisations),
    db.select(memberColumns).from(users).orderBy(users.email),
  ])
  return { me, organisation: found[0]?.name ?? '', members }
}
