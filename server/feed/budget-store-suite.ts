import 'server-only'
import { describe, expect, test } from 'vitest'
import { createSimulatedTime } from './testing/budget-doubles'
import { createBudget } from './budget'
import { type BudgetStore, HOUR_MS, isRequest, type StoredLog, type StoredRequest } from './request-log'

type StoreUnderTest = {
  /** Two ways to the same log, as two processes have. Empty at the start of each test. */
  open(): Promise<{ store: BudgetStore; other: BudgetStore }>
}

export function budgetStoreSuite(name: string, { open }: StoreUnderTest): void {
  const sent = (id: number, sentAt: number): StoredRequest => ({ id, purpose: 'list', sentAt, finishedAt: null })

  async function read(store: BudgetStore): Promise<StoredLog> {
    let seen: StoredLog = { requests: [] }
    await store.update((log) => {
      seen = log
      return { write: [], remove: [] }
    })
    return { ...seen, requests: seen.requests.filter(isRequest).toSorted((a, b) => a.id - b.id) }
  }

  describe(`the ${name} store`, () => {
    test('keeps every field of a request for the next process', async () => {
      const { store, other } = await open()
      const requests: StoredRequest[] = [
        { id: 1, purpose: 'list', sentAt: 1_800_000_000_000, finishedAt: null },
        { id: 2, purpose: 'lookup', sentAt: 1_800_000_000_001, finishedAt: 1_800_000_000_009 },
        { id: 2 ** 48 - 2, purpose: 'back-off', sentAt: 1_800_000_000_002, finishedAt: 1_800_000_090_000 },
      ]
      await store.update(() => ({ write: requests, remove: [] }))
      expect((await read(other)).requests).toEqual(requests)
    })

    test('replaces by id and removes', async () => {
      const { store, other } = await open()
      await store.update(() => ({ write: [sent(1, 10), sent(2, 20), sent(3, 30)], remove: [] }))
      await other.update(() => ({ write: [{ ...sent(2, 25), finishedAt: 28 }], remove: [1] }))
      expect((await read(store)).requests).toEqual([{ ...sent(2, 25), finishedAt: 28 }, sent(3, 30)])
    })

    test('shows each of many writers at once what the others wrote', async () => {
      const { store, other } = await open()
      const writers = Array.from({ length: 12 }, (_, i) => i + 1)
      const sizes: number[] = []
      await Promise.all(
        writers.map(async (id) => {
          let size = 0
          await (id % 2 ? store : other).update((log) => {
            size = log.requests.filter(isRequest).length
            return { write: [sent(id, id)], remove: [] }
          })
          sizes.push(size)
        }),
      )
      expect(sizes.toSorted((a, b) => a - b)).toEqual(writers.map((id) => id - 1))
    })

    test('makes two budgets one', async () => {
      const { store, other } = await open()
      const limits = { perSecond: 30, perHour: 20 }
      const clock = createSimulatedTime()
      const budgets = [store, other].map((each) => createBudget({ limits, clock, store: each }))
      const tries = Array.from({ length: 15 }, () => budgets.map((budget) => budget.reserve('list')))
      const places = await Promise.all(tries.flat())
      expect(places.filter(({ ok }) => ok)).toHaveLength(19)
    })

    test('is cleared of what is older than two windows', async () => {
      const { store } = await open()
      const clock = createSimulatedTime()
      const now = (await read(store)).nowMs ?? clock.now()
      const old = sent(1, now - 2 * HOUR_MS - 1)
      await store.update(() => ({ write: [{ ...old, finishedAt: old.sentAt }, sent(2, now)], remove: [] }))
      await createBudget({ limits: { perSecond: 1, perHour: 1 }, clock, store }).sync()
      expect((await read(store)).requests.map(({ id }) => id)).toEqual([2])
    })
  })
}
