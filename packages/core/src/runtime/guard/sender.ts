import { type KnownTraits, knownTraits } from '../../compiler/catalog/database-traits.ts'
import type { Adapter, Session } from '../adapter/adapter.ts'
import { type Observe, observeExecution } from '../observe/observe.ts'
import type { Runnable, SendStatement } from './runnable.ts'

/** An adapter, and the only place that passes it a compiled statement of a client. Only the guard has a sender. */
export interface Sender {
  readonly adapter: Adapter
  readonly traits: KnownTraits
  /** @param place the adapter itself, or a session of one of its transactions. */
  sendTo(place: Pick<Session, 'execute'>, ready: Runnable): SendStatement
}

export function createSender(
  adapter: Adapter,
  observe: Observe | undefined,
  onSend: () => void,
): Sender {
  return {
    adapter,
    traits: knownTraits(adapter.traits),
    sendTo: (place, { prepared: { plan }, values }) => {
      const { compiled: statement, connection } = plan
      return (options) => {
        onSend()
        return observeExecution(observe, connection, () =>
          place.execute({ ...options, statement, values }),
        )
      }
    },
  }
}
