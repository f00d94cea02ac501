/** @module Entries waiting for the database: bounded, with rules for which are dropped first when there are too many. */

export interface QueueBounds {
  readonly entries: number
  /** Sum of the sizes of entries. */
  readonly size: number
}

export interface QueueItem {
  readonly size: number
}

export interface AuditQueue<Item extends QueueItem> {
  /**
   * Adds an item. When there is no room, it drops the oldest items that may be dropped, or else the item itself if it may be
   * dropped.
   *
   * @returns false when the item must be kept and all others must be kept, too: it was not added.
   */
  push(item: Item, isDroppable: boolean): boolean
  /** Removes and returns the oldest item, of those that must be kept first; undefined when there is none. */
  next(): Item | undefined
  readonly length: () => number
  /** The number of items dropped since the last call. */
  takeDropped(): number
}

export function createAuditQueue<Item extends QueueItem>(bounds: QueueBounds): AuditQueue<Item> {
  const kept = createFifo<Item>()
  const droppable = createFifo<Item>()
  let total = 0
  let dropped = 0
  const length = () => kept.length() + droppable.length()

  /** Removes the oldest item of a line and its size. */
  const shift = (line: Fifo<Item>): Item | undefined => {
    const first = line.shift()
    if (first !== undefined) total -= first.size
    return first
  }
  const isFull = (size: number) => length() >= bounds.entries || total + size > bounds.size

  return {
    length,
    push: (item, isDroppable) => {
      const { size } = item
      while (isFull(size) && droppable.length() > 0) {
        shift(droppable)
        dropped += 1
      }
      if (isFull(size) && length() > 0) {
        if (isDroppable) dropped += 1
        return isDroppable
      }
      total += size
      const line = isDroppable ? droppable : kept
      line.push(item)
      return true
    },
    next: () => shift(kept) ?? shift(droppable),
    takeDropped: () => {
      const count = dropped
      dropped = 0
      return count
    },
  }
}

interface Fifo<Item> {
  push(item: Item): void
  shift(): Item | undefined
  readonly length: () => number
}

/** `Array.shift` moves all later items: slow with thousands of items. */
function createFifo<Item>(): Fifo<Item> {
  let items: (Item | undefined)[] = []
  let head = 0
  return {
    length: () => items.length - head,
    push: (item) => void items.push(item),
    shift: () => {
      const first = items[head]
      if (first === undefined) return undefined
      items[head] = undefined
      head += 1
      if (head > 1_000 && head * 2 > items.length) {
        items = items.slice(head)
        head = 0
      }
      return first
    },
  }
}
