import 'server-only'
import type { BudgetStore, StoredRequest } from './budget-store'

/** Lasts as long as the process: for demo mode and tests. */
export function createMemoryBudgetStore(): BudgetStore {
  const requests = new Map<number, StoredRequest>()
  return {
    async update(change) {
      const { write, remove } = change({ requests: [...requests.values()] })
      for (const request of write) requests.set(request.id, request)
      for (const id of remove) requests.delete(id)
    },
  }
}
