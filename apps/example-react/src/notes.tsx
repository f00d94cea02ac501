import { asc, eq } from 'drizzle-orm'
import { type SubmitEvent, useCallback, useEffect, useState } from 'react'
import { client, db } from './engine.ts'
import { notes } from './generated/schema.ts'
import { useRun } from './use-run.ts'

type Note = typeof notes.$inferSelect

export function Notes() {
  const [list, setList] = useState<readonly Note[]>([])
  const { run, problem } = useRun()
  const load = useCallback(
    async () => setList(await db.select().from(notes).orderBy(asc(notes.id))),
    [],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => run(load), [])

  const add = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    const text = String(new FormData(form).get('text'))
    run(async () => {
      const added = await db.insert(notes).values({ text }).returning()
      setList((before) => [...before, ...added])
      form.reset()
    })
  }
  const setDone = ({ id }: Note, done: boolean) =>
    run(async () => {
      await db.update(notes).set({ done }).where(eq(notes.id, id))
      await load()
    })
  const tidyUp = () =>
    run(async () => {
      await client.action('tidyUp', { keep: [] })
      await load()
    })
  return (
    <>
      <ul>
        {list.map((note) => (
          <li key={note.id}>
            <label>
              <input
                type="checkbox"
                checked={note.done}
                onChange={(event) => setDone(note, event.target.checked)}
              />
              {note.text}
            </label>
          </li>
        ))}
      </ul>
      <form onSubmit={add}>
        <label>
          New note
          <input name="text" required />
        </label>
        <button type="submit">Add</button>
      </form>
      <button type="button" className="quiet" onClick={tidyUp}>
        Tidy up
      </button>
      {problem && <p role="alert">{problem}</p>}
    </>
  )
}
