/** @module The RowDescription of a portal that runs next: it is sent when the portal's columns are certain. */
import type { FieldDescription, MessageWriter } from '../../protocol/message-writer.ts'

export interface LateDescription {
  /** @param fields the columns of the rows that follow */
  write(fields: readonly FieldDescription[]): void
  /** The portal gives no rows, or fails: its description is that of Bind. */
  finish(): void
}

export interface DescribedPortal {
  readonly portal: object
  readonly description: LateDescription
}

/** The description that waits, from Describe to the Execute that follows at once. */
export interface WaitingDescription {
  set(portal: object, description: LateDescription): void
  take(): DescribedPortal | undefined
}

export function createWaitingDescription(): WaitingDescription {
  let waiting: DescribedPortal | undefined
  return {
    set: (portal, description) => {
      waiting = { portal, description }
    },
    take: () => {
      const taken = waiting
      waiting = undefined
      return taken
    },
  }
}

export function lateDescription(
  writer: MessageWriter,
  bound: readonly FieldDescription[],
): LateDescription {
  let isWritten = false
  const write = (fields: readonly FieldDescription[]) => {
    if (!isWritten) writer.rowDescription(fields)
    isWritten = true
  }
  return { write, finish: () => write(bound) }
}
