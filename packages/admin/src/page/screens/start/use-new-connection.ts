/** @module A database that is being connected: what was typed, its test, and saving it as a connection. */
import type { ChangeResult, ConnectionTestAnswer, FoundSchema } from '@engine/contract/admin-api'
import { useState } from 'react'
import { request } from '../../api/http.ts'
import { storedQueries, useReadAgain, useStored } from '../../api/stored.ts'
import { type Submit, useSubmit } from '../../api/use-submit.ts'
import { useAskBeforeUnload } from '../../drafts/use-ask-before-unload.ts'
import { withSchemas } from './chosen-schemas.ts'
import { type Kind, kinds } from './kinds.ts'
import { useStart } from './use-start.ts'

export interface NewConnection {
  readonly kind: Kind
  readonly setKind: (kind: Kind) => void
  /** A URL, or a path. */
  readonly address: string
  readonly setAddress: (address: string) => void
  /** The name that was typed, else one that is free. */
  readonly name: string
  readonly ownName: string
  readonly setOwnName: (name: string) => void
  readonly isTaken: boolean
  /** The test found the database. */
  readonly isTested: boolean
  /** Schemas that the test found. */
  readonly found: readonly FoundSchema[]
  readonly chosen: readonly string[]
  readonly choose: (schemas: readonly string[]) => void
  /** The newest revision; undefined until it is read. */
  readonly revision: number | undefined
  readonly test: Submit<ConnectionTestAnswer, void>
  readonly save: Submit<ChangeResult, void>
  /** Tests the connection, or saves it once it is tested. */
  readonly submit: () => void
}

/** @param taken names of other connections. */
export function useNewConnection(taken: readonly string[]): NewConnection {
  const { goTo } = useStart()
  const readAgain = useReadAgain()
  const { data: stored } = useStored('connections')
  const [kind, setKind] = useState(kinds[0] as Kind)
  const [address, setAddress] = useState('')
  const [ownName, setOwnName] = useState('')
  const [unwanted, setUnwanted] = useState<readonly string[]>([])
  const name = ownName.trim() || freeConnection(taken)
  const connection = kind.id === 'csv' ? { directory: address.trim() } : address.trim()
  const test = useSubmit<ConnectionTestAnswer>({
    send: (_, signal) =>
      request('POST /config/connections/:name/test', {
        params: { name },
        body: { connection },
        signal,
      }),
  })
  const found = test.data?.schemas ?? []
  const names = found.map((schema) => schema.name)
  const chosen = names.filter((each) => !unwanted.includes(each))
  const save = useSubmit<ChangeResult>({
    changes: storedQueries,
    send: (_, signal) =>
      request('PUT /config/connections/:name', {
        params: { name },
        signal,
        body: kind.id === 'postgres' ? withSchemas(address.trim(), found, chosen) : connection,
        query: { note: 'First run' },
        ifMatch: stored?.revision,
      }),
    onDone: async () => {
      await readAgain()
      goTo('tables', { connection: name })
    },
    onFailed: () => readAgain(),
  })
  // An address may hold a password: it is not kept.
  useAskBeforeUnload(address.trim() !== '')
  const isTested = test.data?.isUp === true
  /** What is edited has to be tested again. */
  const edits =
    <Value>(set: (value: Value) => void) =>
    (value: Value) => {
      set(value)
      test.reset()
      setUnwanted([])
      save.reset()
    }
  return {
    kind,
    setKind: edits(setKind),
    address,
    setAddress: edits(setAddress),
    name,
    ownName,
    setOwnName: edits(setOwnName),
    isTaken: taken.includes(name),
    isTested,
    found,
    chosen,
    choose: (wanted) => setUnwanted(names.filter((each) => !wanted.includes(each))),
    revision: stored?.revision,
    test,
    save,
    submit: () => (isTested ? save.run() : test.run()),
  }
}

function freeConnection(taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? 'main' : `main${number}`
    if (!taken.includes(name)) return name
  }
}
