import { expect, test } from 'vitest'
import { createBudget } from './budget'
import type { BudgetStore, StoredRequest } from './budget-store'

const LIMITS = { perSecond: 10, perHour: 600 }

/** A log as a process left it that died with nine requests under way, just now. */
function leftBehind(isAlone: boolean): BudgetStore {
  let requests: StoredRequest[] = Array.from({ length: 9 }, (_, id) => {
    return { id, purpose: 'list', sentAt: 0, finishedAt: null }
  })
  return {
    update: (change) => {
      const { write, remove } = change({ requests, isAlone })
      const gone = new Set([...remove, ...write.map(({ id }) => id)])
      requests = [...requests.filter(({ id }) => !gone.has(id)), ...write]
      return Promise.resolve()
    },
  }
}

/** After how many seconds the next process may send its first request. */
async function silence(isAlone: boolean): Promise<number> {
  let now = 0
  const clock = { now: () => now, monotonic: () => now }
  const budget = createBudget({ limits: LIMITS, clock, store: leftBehind(isAlone) })
  for (; ; now += 1000) {
    const place = await budget.reserve('list')
    if (place.ok) return now / 1000
  }
}

test('a process that is alone knows that the one before it is dead, and waits only until its requests are', async () => {
  expect(await silence(true)).toBeLessThan(65)
  expect(await silence(true)).toBeGreaterThanOrEqual(60)
})

test('among several instances an open request may be another’s, and is waited for', async () => {
  expect(await silence(false)).toBeGreaterThan(300)
})
