import { Registry } from 'prom-client'
import { createCounters } from '@/server/base/counters'
import { emptyListState } from '@/server/feed/list-state'
import { testServices } from '@/server/testing/services'
import { createMetrics } from '../metrics'

export const NOW = Date.UTC(2026, 10, 20, 7)

export function metricsWorld() {
  const empty = emptyListState<never>()
  const questions = { ...empty, fetchedAt: NOW - 4_000, nextAt: NOW + 2_000, fetchMs: 250, unreadable: 2 }
  const declarations = { ...empty, problem: { kind: 'unavailable', since: NOW - 9_000, detail: 'status 503' } as const }
  // The clock of the instance that fetched these is ahead.
  const schools = { ...empty, fetchedAt: NOW + 30_000 }
  const registry = new Registry()
  const counters = createCounters(registry)
  const stores = { databaseAnswers: true }
  const execute = async () => {
    if (!stores.databaseAnswers) throw new Error('away')
    return { rows: [{ made_at: '1763600000' }] }
  }
  const metrics = createMetrics(
    testServices({
      feed: { askedQuestions: () => questions, declarations: () => declarations, highSchools: () => schools },
      budget: { usage: () => ({ spentThisHour: 7, perHour: 600, perSecond: 10 }), spentThisSecond: () => 3 },
      streamSlots: { countStreams: () => 12 },
      database: { connect: async () => ({ execute }), countConnections: () => ({ inUse: 2, idle: 8, waiting: 1 }) },
      registry,
      now: () => NOW,
    }),
  )
  const lines = async (name = 'intag_') => (await metrics.metrics()).split('\n').filter((line) => line.startsWith(name))
  return { metrics, counters, stores, lines }
}
