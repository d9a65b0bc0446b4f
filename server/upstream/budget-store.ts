import 'server-only'
import type { Purpose } from './budget-rules'

/** A request as it is kept beyond the process; a back-off is kept likewise, ending when sending may go on. */
export type StoredRequest = {
  id: number
  purpose: Purpose | 'back-off'
  /** Wall clock, ms. */
  sentAt: number
  /** Null while its answer has not ended; in the future when the service may still count it. */
  finishedAt: number | null
}

/** `nowMs` is there when all instances share the store's clock; else each goes by its own wall clock. */
/** `isAlone`: nobody else can be writing it, so an open request that is not ours is of a process that has died. */
export type StoredLog = { requests: StoredRequest[]; nowMs?: number; isAlone?: boolean }
export type LogChange = { write: StoredRequest[]; remove: number[] }

export type BudgetStore = {
  /**
   * Reads the log, lets `change` decide, and writes what it says (inserting or replacing by id), all as one atomic step
   * against every other writer. `change` is called again when another writer was faster. Rejects when that failed.
   */
  update(change: (log: StoredLog) => LogChange): Promise<void>
}

/** A purpose that a later version wrote still takes a place. */
export function purposeOf(text: string): StoredRequest['purpose'] {
  return text === 'lookup' || text === 'back-off' ? text : 'list'
}
