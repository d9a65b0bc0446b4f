import 'server-only'
import type { BudgetStore } from './budget-store'
import { changeOf, isRequest, type LogChange, mergedRequests, type StoredRequest } from './request-log'

type Options = { live: BudgetStore; record: BudgetStore; logger: { warn(details: object, message: string): void } }

/**
 * The log of `live` (Redis), which decides, with a copy in `record` (the database) that outlives it: what either knows counts,
 * and what one has lost it gets back from the other. Rejects unless both are written, so nothing is sent that is in one alone.
 */
export function createRecordedBudgetStore({ live, record, logger }: Options): BudgetStore {
  return {
    async update(change) {
      // Read first: a place that Redis gives while the database is away would be lost for an hour.
      const recorded = mergedRequests(await requestsIn(record))
      let all = recorded
      let forgotten = 0
      await live.update((log) => {
        all = mergedRequests(log.requests, recorded.values())
        applyChange(all, change({ ...log, requests: [...all.values()] }))
        forgotten =
          log.requests.length > 0 ? 0 : [...recorded.values()].filter(isRequest).filter(({ id }) => all.has(id)).length
        return changeOf(mergedRequests(log.requests), all)
      })
      if (forgotten > 0) logger.warn({ requests: forgotten }, FORGOTTEN)
      await record.update(() => changeOf(recorded, all))
    },
  }
}

const FORGOTTEN =
  'Redis has forgotten what was sent in the last hour, and has it again from the database: switch on appendonly there'

async function requestsIn(store: BudgetStore): Promise<StoredRequest[]> {
  let requests: StoredRequest[] = []
  await store.update((log) => {
    requests = log.requests
    return { write: [], remove: [] }
  })
  return requests
}

function applyChange(requests: Map<number, StoredRequest>, { write, remove }: LogChange): void {
  for (const request of write) requests.set(request.id, request)
  for (const id of remove) requests.delete(id)
}
