import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Handle } from '@/reference-service/http-server'
import { createArrivals } from '@/reference-service/invented/arrivals'
import { freePort } from '@/scripts/testing/free-port'
import { addPeople, createApp } from '@/scripts/testing/running-app'
import { startService, TOKEN } from '@/scripts/testing/service'
import { createPostgres, createProxy, hasPrograms } from './servers'
import { type Failure, startViewers } from './viewers'

/**
 * Tests three instances behind the shipped `deploy/nginx.conf` while users work: the leader is killed, the database
 * goes away, and each instance in turn is restarted. Whatever happens, the limits hold, nothing is lost, and nobody is
 * signed out.
 */

/** The hourly limit is three times the real one, so that minutes show what an hour would. */
const LIMITS = { perSecond: 10, perHour: 1_800 }
const ARRIVAL_MS = 700
/** The lease of a dead holder ends after 6 s (`server/feed/shared-lists.ts`), and another instance sees it within 3 s. */
const MAX_FETCH_DELAY_MS = 15_000
/** Requests that were in flight during an incident have failed or succeeded this long after the next fetch. */
const SETTLE_MS = 2_000
const AWAY_MS = 5_000
const SLOW_MS = 3_000
const ADMIN = { role: 'admin', schools: 'all' } as const
const STAFF = { role: 'staff', schools: 'all' } as const

test('three instances behind nginx', async (t) => {
  assert.ok(hasPrograms('postgresql', 'nginx', 'openssl'), 'it takes PostgreSQL, nginx and openssl')
  const { service, postgres, instances, viewers, adminClient } = await startFleet(t)

  async function expectService(tolerated: readonly Failure['kind'][], during: () => Promise<void>) {
    viewers.report()
    await during()
    const sent = service.statuses.length
    for (const end = performance.now() + MAX_FETCH_DELAY_MS; service.statuses.length === sent; await wait(100))
      assert.ok(performance.now() < end, 'the lists are fetched')
    await wait(SETTLE_MS)
    const { requests, failures } = viewers.report()
    t.diagnostic(`${requests} requests, ${failures.length} failed`)
    assert.deepEqual(
      failures.filter(({ kind }) => !tolerated.includes(kind)),
      [],
    )
  }

  await t.test('people work', () => expectService([], () => wait(AWAY_MS)))

  await t.test('the instance that is asking the service is killed', () =>
    expectService(['busy', 'gateway', 'cut'], async () => {
      service.setDelay(SLOW_MS)
      let leader = instances[service.asking()]
      for (; leader === undefined; leader = instances[service.asking()]) await wait(20)
      await leader.end('SIGKILL')
      service.setDelay(0)
      await wait(1_000)
      await leader.start()
    }),
  )

  await t.test('PostgreSQL is stopped at once and started', () =>
    expectService(['busy'], async () => {
      await postgres.end('SIGQUIT')
      await wait(AWAY_MS)
      await postgres.start()
    }),
  )

  await t.test('each instance in turn is ended and started again', () =>
    expectService([], async () => {
      for (const instance of instances) {
        await instance.end('SIGTERM')
        await instance.start()
        // The proxy tries an instance again two seconds after it could not reach it.
        await wait(2_500)
      }
    }),
  )

  await t.test('every instance shows every decision that was answered', async () => {
    await viewers.stop()
    assert.ok(viewers.handled.length > 100, `${viewers.handled.length} decisions`)
    for (const { origin } of instances) {
      const handled = new Set(await adminClient.declarations(origin, 'handled'))
      const lost = viewers.handled.filter((id) => !handled.has(id))
      assert.deepEqual(lost, [])
    }
  })

  await t.test('no request was over the limits, and none is forgotten', async () => {
    assert.deepEqual(
      service.statuses.filter((status) => status === 429),
      [],
    )
    // An idle instance learns of the others' requests at its next one.
    const known = await Promise.all(instances.map(({ origin }) => adminClient.spentThisHour(origin)))
    assert.ok(Math.max(...known) >= service.statuses.length, `${known.join(', ')} of ${service.statuses.length}`)
  })
})

async function startFleet(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'intag-fleet-'))
  chmodSync(folder, 0o711)
  const stops: (() => Promise<void>)[] = []
  // The folder with the logs stays if a program did not end.
  t.after(async () => {
    for (const stop of stops.toReversed()) await stop()
    await rm(folder, { recursive: true, force: true })
  })
  const service = await startTrackedService()
  stops.push(service.close)
  const postgres = await createPostgres(folder)
  stops.push(() => postgres.end('SIGINT'))
  await postgres.start()
  const port = await freePort()
  const auth = { url: `https://localhost:${port}`, secret: randomBytes(32).toString('hex') }
  const [admin = '', ...staff] = await addPeople(postgres, auth, [ADMIN, ...Array.from({ length: 5 }, () => STAFF)])
  const shared = {
    DATABASE_URL: postgres.url,
    LEADS_API_TOKEN: TOKEN,
    LEADS_API_PER_SECOND: String(LIMITS.perSecond),
    LEADS_API_PER_HOUR: String(LIMITS.perHour),
    NEXTAUTH_URL: auth.url,
    NEXTAUTH_SECRET: auth.secret,
    DATA_KEY: randomBytes(32).toString('base64'),
    TRUSTED_PROXIES: '1',
    LOG_LEVEL: 'warn',
  }
  const instances: Awaited<ReturnType<typeof createApp>>[] = []
  for (const [index, url] of service.urls.entries()) {
    instances.push(await createApp(`instance-${index + 1}`, folder, { ...shared, LEADS_API_URL: url }))
  }
  stops.push(async () => void (await Promise.all(instances.map((instance) => instance.end('SIGTERM')))))
  await Promise.all(instances.map((instance) => instance.start()))
  const ports = instances.map((instance) => instance.port)
  const proxy = await createProxy(folder, port, ports)
  stops.push(() => proxy.end('SIGTERM'))
  await proxy.start()
  const adminClient = createAdminClient(admin)
  const viewers = startViewers(auth.url, staff, await adminClient.declarations(auth.url, 'new'))
  stops.push(viewers.stop)
  return { service, postgres, instances, viewers, adminClient }
}

/** Starts the service with an address for each instance. `asking` is the instance that is asking, or -1. */
async function startTrackedService() {
  let asking = -1
  let delayMs = 0
  const trackInstance = (index: number) => (handle: Handle) => async (request: Request) => {
    asking = index
    await wait(delayMs)
    return handle(request).finally(() => (asking = -1))
  }
  const service = await startService({ tier: 'S', limits: LIMITS, wrappers: [0, 1, 2].map(trackInstance) })
  const arrivals = createArrivals({ store: service.store, seed: 7, meanMs: ARRIVAL_MS })
  arrivals.start()
  const close = () => {
    arrivals.stop()
    return service.close()
  }
  return { ...service, asking: () => asking, setDelay: (ms: number) => void (delayMs = ms), close }
}

function createAdminClient(cookie: string) {
  const read = async (origin: string, path: string) => (await fetch(origin + path, { headers: { cookie } })).json()
  return {
    async declarations(origin: string, status: 'new' | 'handled'): Promise<string[]> {
      const { declarationsOfInterest } = await read(origin, `/api/declarations-of-interest?limit=500&status=${status}`)
      return declarationsOfInterest.map(({ id }: { id: string }) => id)
    },
    spentThisHour: async (origin: string): Promise<number> => (await read(origin, '/api/status')).budget.spentThisHour,
  }
}
