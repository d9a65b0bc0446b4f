import { createAccessServices } from '@/server/access/services'
import { env } from '@/server/base/env'
import { oncePerProcess } from '@/server/base/once-per-process'
import { createBaseServices, type Services } from '@/server/base/services'
import { createExportServices } from '@/server/export/services'
import { createFeedServices } from '@/server/feed/services'
import { processLifecycle } from '@/server/http/lifecycle'
import { createInterestServices } from '@/server/interest/services'
import { createLeadServices } from '@/server/leads/services'
import { createMetrics } from './metrics'

declare module '@/server/base/services' {
  interface Services {
    metrics: ReturnType<typeof createMetrics>
  }
}

/** Builds the services of all rooms, lowest room first, and opens no connection. */
export const buildServices = oncePerProcess('services', (): Services => {
  const base = createBaseServices(env())
  const feed = { ...base, ...createFeedServices(base) }
  const access = { ...feed, ...createAccessServices(feed) }
  const leads = { ...access, ...createLeadServices(access) }
  const exporting = { ...leads, ...createExportServices(leads) }
  const http = { ...exporting, ...createInterestServices(), lifecycle: processLifecycle() }
  return { ...http, metrics: createMetrics(http) }
})
