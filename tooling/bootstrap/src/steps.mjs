// @ts-check
/**
 * @module What the setup is doing, for a person: a line for each step that has ended, and meanwhile at least every two
 * seconds what is running.
 */

/** Milliseconds between two lines where the output is a file. */
const lineMs = 1_600

/** Milliseconds between two updates of the line at a terminal. */
const updateMs = 200

/**
 * @typedef {object} Steps
 * @property {<Result>(name: string, work: (report: (detail: string) => void) => Promise<Result>) => Promise<Result>} run
 *   runs a step, also beside others; `report` adds a detail to what is shown
 */

/**
 * @param {object} options
 * @param {(text: string) => void} options.write
 * @param {boolean} options.isTerminal one line is updated in place
 * @param {boolean} [options.isQuiet] short steps write nothing
 * @param {() => number} options.clock milliseconds that only grow
 * @returns {Steps}
 */
export function createSteps({ write, isTerminal, isQuiet = false, clock }) {
  /** @type {Set<{ name: string, detail: string, startMs: number }>} */
  const running = new Set()
  /** @type {NodeJS.Timeout | undefined} */
  let timer
  let hasLine = false
  let writtenMs = clock()

  /** @param {string} text */
  const line = (text) => {
    write(`${hasLine ? '\r\u001b[2K' : ''}${text}\n`)
    hasLine = false
    writtenMs = clock()
  }
  const update = () => {
    const [first] = running
    if (first === undefined) return
    const names = [...running].map(({ name, detail }) =>
      detail === '' ? name : `${name} (${detail})`,
    )
    const text = `  … ${names.join(', ')}: ${seconds(clock() - first.startMs)}`
    if (!isTerminal) {
      if (clock() - writtenMs >= lineMs) line(text)
      return
    }
    write(`\r\u001b[2K${text.slice(0, (process.stderr.columns ?? 80) - 1)}`)
    hasLine = true
  }

  return {
    run: async (name, work) => {
      const own = { name, detail: '', startMs: clock() }
      // The first line comes sooner: whoever waits should see that something happens.
      if (running.size === 0) writtenMs = own.startMs - lineMs / 2
      running.add(own)
      timer ??= setInterval(update, updateMs)
      try {
        const result = await work((detail) => {
          own.detail = detail
        })
        if (!isQuiet || hasLine) line(`  ✓ ${name}  ${seconds(clock() - own.startMs)}`)
        return result
      } catch (error) {
        line(`  ✗ ${name}`)
        throw error
      } finally {
        running.delete(own)
        if (running.size === 0) {
          clearInterval(timer)
          timer = undefined
        }
      }
    },
  }
}

/** @param {number} ms */
function seconds(ms) {
  return `${(ms / 1_000).toFixed(1)} s`
}
