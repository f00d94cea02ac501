/** @module Questions and answers between two processes, in both directions. */

/** One end of an IPC channel: a child process, a worker of the cluster, or this process as seen by itself. */
export interface Peer {
  send(message: object): void
  onMessage(listener: (message: unknown) => void): void
}

export interface Channel<Question> {
  /**
   * @returns the answer, as JSON keeps it.
   * @throws {Error} with the message of the other side, or when the channel was closed.
   */
  ask(question: Question): Promise<unknown>
  /** Rejects all questions without an answer, and later ones. */
  close(reason: Error): void
}

type Message<Question> =
  | { readonly kind: 'question'; readonly id: number; readonly question: Question }
  | { readonly kind: 'answer'; readonly id: number; readonly answer?: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly message: string }

interface Waiting {
  readonly resolve: (answer: unknown) => void
  readonly reject: (error: Error) => void
}

/** @param answer is called with the questions of the other side; what it throws is sent as the message alone. */
export function createChannel<Asked, Answered>(
  peer: Peer,
  answer: (question: Answered) => unknown,
): Channel<Asked> {
  const waiting = new Map<number, Waiting>()
  let lastId = 0
  let closed: Error | undefined

  const respond = async (id: number, question: Answered): Promise<void> => {
    try {
      peer.send({ kind: 'answer', id, answer: await answer(question) })
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      peer.send({ kind: 'failure', id, message })
    }
  }
  const settle = (id: number, use: (waiting: Waiting) => void) => {
    const found = waiting.get(id)
    waiting.delete(id)
    if (found !== undefined) use(found)
  }
  peer.onMessage((received) => {
    const message = received as Message<Answered>
    switch (message.kind) {
      case 'question':
        void respond(message.id, message.question)
        return
      case 'answer':
        settle(message.id, ({ resolve }) => resolve(message.answer))
        return
      case 'failure':
        settle(message.id, ({ reject }) => reject(new Error(message.message)))
        return
      default:
        // Messages of other senders: the cluster module has its own.
        return
    }
  })
  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        if (closed !== undefined) return reject(closed)
        lastId += 1
        waiting.set(lastId, { resolve, reject })
        peer.send({ kind: 'question', id: lastId, question })
      }),
    close: (reason) => {
      closed = reason
      for (const { reject } of waiting.values()) reject(reason)
      waiting.clear()
    },
  }
}
