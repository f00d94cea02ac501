/** @module A value that a rollback of a transaction or savepoint resets. */

/** States are immutable: one is replaced by another. */
export interface TransactionalState<State> {
  get(): State
  set(state: State): void
  begin(): void
  /** The transaction, if there is one, has committed: its state stays. */
  commit(): void
  /** Restores the state from before the transaction, if there is one. */
  rollBack(): void
  savepoint(name: string): void
  /** Restores the state of the youngest savepoint with this name, which stays. An unknown name changes nothing. */
  rollBackTo(name: string): void
  release(name: string): void
}

export function createTransactionalState<State>(initial: State): TransactionalState<State> {
  let state = initial
  /** Youngest last; the first one is the beginning of the transaction. */
  let marks: { readonly name: string | undefined; readonly state: State }[] = []

  const find = (name: string) => marks.findLastIndex((mark) => mark.name === name)
  return {
    get: () => state,
    set: (next) => {
      state = next
    },
    begin: () => {
      marks = [{ name: undefined, state }]
    },
    commit: () => {
      marks = []
    },
    rollBack: () => {
      state = marks[0]?.state ?? state
      marks = []
    },
    savepoint: (name) => {
      marks.push({ name, state })
    },
    rollBackTo: (name) => {
      const index = find(name)
      const mark = marks[index]
      if (mark === undefined) return
      state = mark.state
      marks.length = index + 1
    },
    release: (name) => {
      const index = find(name)
      if (index >= 0) marks.length = index
    },
  }
}
