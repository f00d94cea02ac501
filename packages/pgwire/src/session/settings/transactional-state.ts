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
  return new MarkedState(initial)
}

interface Mark<State> {
  /** Undefined for the beginning of the transaction. */
  readonly name: string | undefined
  readonly state: State
}

const noMarks: readonly never[] = []

/** A class: three exist for each session, and their functions are shared by all (decision 0088). */
class MarkedState<State> implements TransactionalState<State> {
  #state: State
  /** Youngest last; the first one is the beginning of the transaction. */
  #marks: readonly Mark<State>[] = noMarks

  constructor(initial: State) {
    this.#state = initial
  }

  get(): State {
    return this.#state
  }

  set(state: State): void {
    this.#state = state
  }

  begin(): void {
    this.#marks = [{ name: undefined, state: this.#state }]
  }

  commit(): void {
    this.#marks = noMarks
  }

  rollBack(): void {
    const [beginning] = this.#marks
    if (beginning !== undefined) this.#state = beginning.state
    this.#marks = noMarks
  }

  savepoint(name: string): void {
    this.#marks = [...this.#marks, { name, state: this.#state }]
  }

  rollBackTo(name: string): void {
    const index = this.#find(name)
    const mark = this.#marks[index]
    if (mark === undefined) return
    this.#state = mark.state
    this.#marks = this.#marks.slice(0, index + 1)
  }

  release(name: string): void {
    const index = this.#find(name)
    if (index >= 0) this.#marks = this.#marks.slice(0, index)
  }

  #find(name: string): number {
    return this.#marks.findLastIndex((mark) => mark.name === name)
  }
}
