import 'server-only'
import type { BudgetStore } from './budget-store'
import { HOUR_MS, type LogChange, type StoredRequest } from './place-log'

type Options = { live: BudgetStore; record: BudgetStore; logger: { warn(details: object, message: string): void } }

/**
 * The log of `live` (Redis), which decides, with a copy in `record` (the database) that outlives it: what either knows counts,
 * and what one has lost it gets back from the other. Rejects unless both are written, so nothing is sent that is in one alone.
 */
export function createRecordedBudgetStore({ live, record, logger }: Options): BudgetStore {
  /** Read first: a place that Redis gives while the database is away would be lost for an hour. */
  async function recorded(): Promise<Map<number, StoredRequest>> {
    let known: StoredRequest[] = []
    await record.update((log) => {
      known = log.requests
      return { write: [], remove: [] }
    })
    return byId(known)
  }

  return {
    async update(change) {
      const inRecord = await recorded()
      let decided = { write: [], remove: [], forgotten: 0 } as LogChange & { forgotten: number }
      let all = new Map<number, StoredRequest>()
      await live.update((log) => {
        all = new Map([...inRecord, ...byId(log.requests)])
        const { write, remove } = change({ ...log, requests: [...all.values()] })
        for (const request of write) all.set(request.id, request)
        for (const id of remove) all.delete(id)
        const inLive = byId(log.requests)
        const lost = [...all.values()].filter(({ id }) => inRecord.has(id) && !inLive.has(id))
        const since = (log.nowMs ?? Date.now()) - HOUR_MS
        decided = {
          write: [...byId([...lost, ...write]).values()],
          remove,
          forgotten: inLive.size === 0 ? lost.filter(({ sentAt }) => sentAt > since).length : 0,
        }
        return decided
      })
      if (decided.forgotten > 0) logger.warn({ requests: decided.forgotten }, FORGOTTEN)
      const write = [...all.values()].filter((request) => !isSame(request, inRecord.get(request.id)))
      const remove = decided.remove.filter((id) => inRecord.has(id))
      if (write.length + remove.length > 0) await record.update(() => ({ write, remove }))
    },
  }
}

const FORGOTTEN =
  'Redis has forgotten what was sent in the last hour, and has it again from the database: switch on appendonly there'

const byId = (requests: readonly StoredRequest[]) => new Map(requests.map((request) => [request.id, request]))

function isSame(one: StoredRequest, other: StoredRequest | undefined): boolean {
  return other !== undefined && one.sentAt === other.sentAt && one.finishedAt === other.finishedAt
}
