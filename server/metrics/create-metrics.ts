import 'server-only'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'

export type FeedFigures = {
  list: string
  records: number
  unreadable: number
  /** Seconds since the last good answer; null before the first. */
  ageSeconds: number | null
  failing: boolean
}

/** `read` is called at each scrape. */
export function createMetrics(read: () => { lists: FeedFigures[]; spentThisHour: number; perHour: number }): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const perList = (name: string, help: string, value: (figures: FeedFigures) => number | null) => {
    const collect = function (this: Gauge<'list'>) {
      for (const figures of read().lists) this.set({ list: figures.list }, value(figures) ?? Number.NaN)
    }
    registry.registerMetric(new Gauge({ name, help, labelNames: ['list'], registers: [], collect }))
  }
  const single = (name: string, help: string, value: () => number) => {
    const collect = function (this: Gauge) {
      this.set(value())
    }
    registry.registerMetric(new Gauge({ name, help, registers: [], collect }))
  }
  perList('intag_list_records', 'Records in the current snapshot', (figures) => figures.records)
  perList('intag_list_unreadable', 'Records of the service that were set aside', (figures) => figures.unreadable)
  perList('intag_list_age_seconds', 'Seconds since the last good answer', (figures) => figures.ageSeconds)
  perList('intag_list_failing', '1 while the last fetch failed', (figures) => Number(figures.failing))
  single('intag_upstream_spent_this_hour', 'Requests that count against the last hour', () => read().spentThisHour)
  single('intag_upstream_per_hour', 'Requests the service allows in an hour', () => read().perHour)
  return registry
}
