import { type Fault } from '@/reference-service/faults'
import { listen } from '@/reference-service/http-server'
import { inventData } from '@/reference-service/invented/data'
import { createArrivals } from '@/reference-service/invented/arrivals'
import { createReferenceService } from '@/reference-service/service'
import { createStore } from '@/reference-service/store'
import type { SentRequest } from './verdicts'

/** Three times the real limit an hour, so that minutes show what an hour would. */
export const LIMITS = { perSecond: 10, perHour: 1_800 }
export const TOKEN = 'fleet'

const SEED = 7
const MEAN_MS = 700

/** The external service, with a door for each instance, so that one knows who asks; limits count over all. */
export async function startService(doors: number) {
  const data = inventData({ tier: 'S', seed: SEED, now: Date.now() })
  const store = createStore(data, new Map([[TOKEN, { label: 'fleet', schools: 'all' }]]))
  const service = createReferenceService({ source: store, limits: LIMITS, basePath: '/v1', requestLogSize: 100_000 })
  const underWay = Array.from({ length: doors }, () => 0)
  const listening = await Promise.all(
    underWay.map((_, door) => {
      const handle: typeof service.handle = async (request, connection) => {
        underWay[door] = (underWay[door] ?? 0) + 1
        try {
          return await service.handle(request, connection)
        } finally {
          underWay[door] = (underWay[door] ?? 0) - 1
        }
      }
      return listen({ ...service, handle }, 0)
    }),
  )
  const coming = createArrivals({ store, seed: SEED, meanMs: MEAN_MS })
  coming.start()
  return {
    urls: listening.map(({ port }) => `http://127.0.0.1:${port}/v1`),
    sent: (): SentRequest[] => service.requests.map(({ at, status }) => ({ at, status })),
    setFaults: (faults: readonly Fault[]) => service.setFaults(faults),
    asking: () => underWay.findIndex((count) => count > 0),
    async stop() {
      coming.stop()
      await Promise.all(listening.map(({ close }) => close()))
    },
  }
}
