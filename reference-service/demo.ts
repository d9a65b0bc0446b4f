import { randomBytes } from 'node:crypto'
import { createArrivals, createMeanInterval } from './invented/arrivals'
import { inventData, inventSchools, type Tier } from './invented/data'
import { createReferenceService } from './service'
import type { Clock } from './specification'
import { createStore, createTokens } from './store'

const SEED = 7
const PUBLIC_TOKENS = { all: 'demo', some: 'demo-some', none: 'demo-none' }

type DemoOptions = {
  tier: Tier
  now?: Clock
  arrivesSteadily?: boolean
  readFirstStart?: () => number | Promise<number>
}

/** Invents leads on first use, as if at the moment that `readFirstStart` returns. After `start` new ones arrive. */
export function createDemoService({
  tier,
  now = Date.now,
  arrivesSteadily = false,
  readFirstStart = now,
}: DemoOptions) {
  const schools = inventSchools(tier)
  // The dashboard has a token of its own, so that calls by visitors do not use up its limit.
  const token = randomBytes(32).toString('base64url')
  const tokens = createTokens(PUBLIC_TOKENS, schools).set(token, 'all')
  let ready: ReturnType<typeof prepare> | undefined

  async function prepare() {
    const store = createStore(inventData({ tier, seed: SEED, now: await readFirstStart() }), tokens)
    const startedAt = now()
    const pace = arrivesSteadily ? {} : { meanMs: createMeanInterval(startedAt) }
    // The seed includes the moment, so that a restart does not invent the same ids again.
    const arrivals = createArrivals({ store, seed: SEED ^ startedAt, clock: now, ...pace })
    return { store, handle: createReferenceService({ source: store, clock: now }), arrivals }
  }
  // After a failure the next call prepares the service again.
  const whenReady = () =>
    (ready ??= prepare().catch((error: unknown) => {
      ready = undefined
      throw error
    }))

  return {
    token,
    staffSchools: schools.slice(0, 2).map(({ id }) => id),
    schools: schools.map(({ id }) => id),
    data: async () => (await whenReady()).store.current(),
    handle: async (request: Request) => (await whenReady()).handle(request),
    start() {
      // A failure is ignored here, because the next call prepares the service again and reports its own.
      void whenReady()
        .then(({ arrivals }) => arrivals.start())
        .catch(() => {})
    },
    stop() {
      void ready?.then(({ arrivals }) => arrivals.stop()).catch(() => {})
    },
  }
}
