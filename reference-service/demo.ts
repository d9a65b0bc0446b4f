import { randomBytes } from 'node:crypto'
import { createArrivals } from './invented/arrivals'
import { inventDataGently, inventSchools, type Tier } from './invented/data'
import { createReferenceService, type ReferenceService } from './service'
import type { Clock } from './specification'
import { createStore, type Store } from './store'
import { grantsFor } from './tokens'

type DemoServiceOptions = { tier: Tier; seed?: number; now?: Clock }

/** What anybody may call the demo's service with. */
const publicTokens = { all: 'demo', some: 'demo-some', none: 'demo-none' } as const

/**
 * The service with invented leads, to be mounted in another server under `/external`. Leads are invented when they are
 * first needed; `start` lets new ones come in.
 */
export function createDemoService({ tier, seed = 7, now = Date.now }: DemoServiceOptions) {
  const schools = inventSchools(tier)
  // Calls of the dashboard itself never count against the limits of visitors, nor theirs against it.
  const token = randomBytes(32).toString('base64url')
  const tokens = grantsFor(publicTokens, schools).set(token, { label: 'private', schools: 'all' })
  let started = false
  let ready: Promise<Ready> | undefined

  async function prepare(): Promise<Ready> {
    const createdAt = now()
    const store = createStore(await inventDataGently({ tier, seed, now: createdAt }), tokens)
    // Seeded by the moment as well: after a restart others arrive, not the same again under ids already dealt with.
    const arrivals = createArrivals({ store, seed: seed ^ createdAt, clock: now })
    if (started) arrivals.start()
    return { store, service: createReferenceService({ source: store, clock: now }), arrivals }
  }
  const whenReady = () => (ready ??= prepare())

  return {
    token,
    publicTokens,
    /** The schools of the demo's staff account; a tier of one school has but one. */
    staffSchools: schools.slice(0, 2).map(({ id }) => id),
    /** All of them, the most sought after first. */
    schools: schools.map(({ id }) => id),
    /** What it has, without a call of it. */
    data: async () => (await whenReady()).store.current(),
    async handle(request: Request): Promise<Response> {
      const { service } = await whenReady()
      return service.handle(request)
    },
    start(): void {
      started = true
      void whenReady().then(({ arrivals }) => started && arrivals.start())
    },
    stop(): void {
      started = false
      void ready?.then(({ arrivals }) => arrivals.stop())
    },
  }
}

type Ready = { store: Store; service: ReferenceService; arrivals: ReturnType<typeof createArrivals> }
