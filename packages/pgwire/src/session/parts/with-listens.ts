/** @module The transaction block tells the settings what happens to a transaction; the channels hear it, too. */
import type { SessionSettings } from '../settings/session-settings.ts'
import type { Listens } from './listens.ts'

/** What a transaction has listened to begins and ends with it, as settings do. */
export function withListens(settings: SessionSettings, { transaction }: Listens): SessionSettings {
  return {
    ...settings,
    begin: (modes) => {
      settings.begin(modes)
      transaction.begin()
    },
    commit: () => {
      settings.commit()
      transaction.commit()
    },
    rollBack: () => {
      settings.rollBack()
      transaction.rollBack()
    },
    savepoint: (name) => {
      settings.savepoint(name)
      transaction.savepoint(name)
    },
    rollBackTo: (name) => {
      settings.rollBackTo(name)
      transaction.rollBackTo(name)
    },
    release: (name) => {
      settings.release(name)
      transaction.release(name)
    },
  }
}
