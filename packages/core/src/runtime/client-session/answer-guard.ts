import { noAnswer } from '../../foundation/adapter-errors.ts'
import { graceMs } from '../../foundation/deadline.ts'
import type { RowReceiver } from '../adapter/adapter.ts'

/**
 * Limits how long rows may take, not counting the time in which the receiver was full: a slow reader does not make the database
 * slow.
 *
 * @param work passes its rows to the given receiver.
 * @throws {GatewayError} `queryTimeout` (408) when the adapter does not answer; its work continues, and it frees its connection
 *   later.
 */
export function answeredWithin<T>(
  timeoutMs: number,
  receiver: RowReceiver,
  work: (receiver: RowReceiver) => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    let isOver = false
    const start = () => {
      clearTimeout(timer)
      timer = setTimeout(() => reject(noAnswer()), timeoutMs + graceMs)
    }
    const stop = () => {
      isOver = true
      clearTimeout(timer)
    }
    const watched: RowReceiver = {
      row: (cells) => receiver.row(cells),
      hold: () => {
        const wait = receiver.hold()
        if (wait === undefined) return undefined
        clearTimeout(timer)
        return wait.then(() => {
          if (!isOver) start()
        })
      },
    }
    const answer = work(watched)
    start()
    answer.then(
      (answer) => {
        stop()
        resolve(answer)
      },
      (error: unknown) => {
        stop()
        reject(error)
      },
    )
  })
}
