/** Resolves when the work is done or this number of milliseconds is over; in the latter case the work continues. */
export async function withinTime(work: Promise<unknown>, ms: number): Promise<void> {
  let timeout: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timeout = setTimeout(resolve, ms)
  })
  await Promise.race([work, late])
  clearTimeout(timeout)
}
