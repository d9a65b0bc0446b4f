import { Registry } from 'prom-client'
import { testServices } from '@/server/testing/services'
import { emptyListState, type ListState } from '@/server/feed/list-state'
import { createMetrics } from '../metrics'
import { createCounters } from '@/server/base/counters'

export const NOW = Date.UTC(2026, 10, 20, 7)

export function metricsWorld() {
  const clock = { now: NOW }
  const failing = { kind: 'unavailable', since: NOW - 9_000, detail: 'status 503' } as const
  const lists: { questions: ListState<never> } = {
    questions: { ...emptyListState<never>(), fetchedAt: NOW - 4_000, nextAt: NOW + 2_000, fetchMs: 250, unreadable: 2 },
  }
  const registry = new Registry()
  const counters = createCounters(registry)
  const stores = { databaseAnswers: true }
  const metrics = createMetrics(
    testServices({
      feed: {
        askedQuestions: () => lists.questions,
        declarations: () => ({ ...emptyListState<never>(), problem: failing }),
        highSchools: () => emptyListState<never>(),
      },
      budget: { usage: () => ({ spentThisHour: 7, perHour: 600, perSecond: 10 }), spentThisSecond: () => 3 },
      streamPlaces: { open: () => 12 },
      database: {
        ready: async () => ({
          execute: async () => {
            if (!stores.databaseAnswers) throw new Error('away')
            return { rows: [{ at: '1763600000' }] }
          },
        }),
        connections: () => ({ inUse: 2, idle: 8, waiting: 1 }),
      },
      registry,
      now: () => clock.now,
    }),
  )
  const lines = async (name = 'intag_') => (await metrics.metrics()).split('\n').filter((line) => line.startsWith(name))
  return { metrics, counters, clock, lists, stores, lines }
}
