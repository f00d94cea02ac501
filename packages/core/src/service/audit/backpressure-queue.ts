/** @module Back-pressure: requests whose entries must not be lost wait here while the queue is full. */

export interface BackpressureQueue<Item> {
  /** @returns a promise that resolves when the item was admitted or given up; undefined when it was given up immediately. */
  enter(item: Item): Promise<void> | undefined
  /** Admits items, oldest first, while `push` accepts them. */
  admit(push: (item: Item) => boolean): void
  readonly count: () => number
  /** Gives up all items. */
  clear(): void
}

export interface BackpressureQueueOptions<Item> {
  /** Requests that may wait at a time. */
  readonly most: number
  /** Milliseconds until an item is given up. */
  readonly waitMs: number
  readonly giveUp: (item: Item) => void
}

interface Waiting<Item> {
  readonly item: Item
  readonly leave: () => void
}

export function createBackpressureQueue<Item>(
  options: BackpressureQueueOptions<Item>,
): BackpressureQueue<Item> {
  const { most, waitMs, giveUp } = options
  const waiting: Waiting<Item>[] = []
  return {
    count: () => waiting.length,
    enter: (item) => {
      if (waiting.length >= most) {
        giveUp(item)
        return undefined
      }
      return new Promise((resolve) => {
        const timeout = setTimeout(() => {
          waiting.splice(waiting.indexOf(own), 1)
          giveUp(item)
          resolve()
        }, waitMs)
        const leave = () => {
          clearTimeout(timeout)
          resolve()
        }
        const own = { item, leave }
        waiting.push(own)
      })
    },
    admit: (push) => {
      for (let next = waiting[0]; next !== undefined && push(next.item); next = waiting[0]) {
        waiting.shift()
        next.leave()
      }
    },
    clear: () => {
      for (const { item, leave } of waiting.splice(0)) {
        giveUp(item)
        leave()
      }
    },
  }
}
