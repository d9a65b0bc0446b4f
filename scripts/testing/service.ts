import { type Handle, listen } from '@/reference-service/http-server'
import { inventData, type Tier } from '@/reference-service/invented/data'
import { createReferenceService } from '@/reference-service/service'
import { type RateLimits, SPECIFIED_RATE_LIMITS } from '@/reference-service/specification'
import { createStore } from '@/reference-service/store'

export const TOKEN = 'test'

/** Each wrapper has its own address, and so tells its callers apart. The limits count over all. */
type Options = { tier: Tier; limits?: RateLimits; wrappers: readonly ((handle: Handle) => Handle)[] }

export async function startService({ tier, limits = SPECIFIED_RATE_LIMITS, wrappers }: Options) {
  const data = inventData({ tier, seed: 7, now: Date.now() })
  const store = createStore(data, new Map([[TOKEN, 'all']]))
  const handle = createReferenceService({ source: store, limits, basePath: '/v1' })
  const statuses: number[] = []
  const handleAndLog: Handle = async (request) => {
    const response = await handle(request)
    statuses.push(response.status)
    return response
  }
  const servers = await Promise.all(wrappers.map((wrap) => listen(wrap(handleAndLog), 0)))
  return {
    store,
    /** The statuses of all answers so far. */
    statuses: statuses as readonly number[],
    urls: servers.map(({ port }) => `http://127.0.0.1:${port}/v1`),
    async close() {
      await Promise.all(servers.map((server) => server.close()))
    },
  }
}
