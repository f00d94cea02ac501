/**
 * Rejects when `work` takes longer than `milliseconds`; the work goes on, and its outcome is ignored then.
 *
 * @param late makes the error.
 * @throws the error of `late`; any error of `work`.
 */
export function withTimeout<T>(
  milliseconds: number,
  work: Promise<T>,
  late: () => Error = () => noAnswerWithin(milliseconds),
): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), milliseconds)
    work.then(
      (result) => {
        clearTimeout(timer)
        resolve(result)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}

/** The error for an answer that does not come in time. */
export function noAnswerWithin(milliseconds: number): Error {
  return new Error(`no answer within ${milliseconds} ms`)
}
