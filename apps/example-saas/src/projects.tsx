import { asc, eq } from 'drizzle-orm'
import { type SubmitEvent, useCallback, useEffect, useState } from 'react'
import { db } from './engine.ts'
import { projects } from './generated/schema.ts'
import type { Member } from './members.tsx'
import { useRun } from './use-run.ts'

const columns = {
  id: projects.id,
  title: projects.title,
  done: projects.done,
  createdBy: projects.createdBy,
}

export function Projects({
  members,
  mayDelete,
}: {
  readonly members: readonly Member[]
  readonly mayDelete: boolean
}) {
  const [list, setList] = useState<Awaited<ReturnType<typeof read>>>([])
  const { run, problem } = useRun()
  const load = useCallback(async () => setList(await read()), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => run(load), [])

  const add = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const title = String(new FormData(form).get('title'))
    run(async () => {
      // The engine adds what the permission presets: organisation and author.
      await db.insert(projects).values({ title } as typeof projects.$inferInsert)
      form.reset()
      await load()
    })
  }
  const change = (work: () => Promise<unknown>) =>
    run(async () => {
      await work()
      await load()
    })
  const nameOf = (id: string) => {
    const member = members.find((each) => each.id === id)
    return member && (member.name || member.email)
  }
  return (
    <section className="card" aria-labelledby="projects">
      <h2 id="projects">Projects</h2>
      <form className="line" onSubmit={add}>
        <label>
          New project
          <input name="title" required />
        </label>
        <button type="submit">Add</button>
      </form>
      {problem && <p role="alert">{problem}</p>}
      {list.length === 0 && <p className="empty">No projects yet.</p>}
      <ul aria-label="Projects">
        {list.map(({ id, title, done, createdBy }) => (
          <li key={id}>
            <label className="check">
              <input
                type="checkbox"
                checked={done}
                onChange={(event) => {
                  const isDone = event.target.checked
                  change(() => db.update(projects).set({ done: isDone }).where(eq(projects.id, id)))
                }}
              />
              <span className="person">
                <strong>{title}</strong>
                <small>{nameOf(createdBy)}</small>
              </span>
            </label>
            {mayDelete && (
              <button
                type="button"
                className="quiet"
                aria-label={`Delete ${title}`}
                onClick={() => change(() => db.delete(projects).where(eq(projects.id, id)))}
              >
                Delete
              </button>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

function read() {
  return db.select(columns).from(projects).orderBy(asc(projects.id))
}
