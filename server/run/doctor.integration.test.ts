import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { listen } from '@/reference-service/http-server'
import { openPglite } from '@/server/base/database'
import { upstreamRequests } from '@/server/base/schema'
import { createSeal } from '@/server/base/seal'
import { placePglite } from '@/server/base/testing/in-memory'
import { createOwnDatabase } from '@/server/base/testing/own-database'
import { createBudget } from '@/server/feed/budget'
import type { BudgetStore } from '@/server/feed/request-log'
import { createMemoryBudgetStore } from '@/server/feed/testing/budget-doubles'
import { temporaryFolders } from '@/server/testing/folder'
import { testServices } from '@/server/testing/services'
import { connected } from '@/server/testing/settings'
import { runConsole } from './console'
import { claimDatabase } from './database-identity'
import { checkService } from './doctor'

describe('the service', () => {
  const ask = (store: BudgetStore, answer: () => Promise<Response>) => {
    const clock = { now: Date.now, monotonic: () => performance.now() }
    const budget = createBudget({ limits: { perSecond: 10, perHour: 600 }, clock, store })
    return checkService({ url: 'https://service.test', token: 'secret-token', budget, transport: answer })
  }

  test('is not asked when no request can be counted', async () => {
    const store = { update: () => Promise.reject(new Error('away')) }
    const transport = vi.fn<() => Promise<Response>>()
    await expect(ask(store, transport)).rejects.toThrow('not asked')
    expect(transport).not.toHaveBeenCalled()
  })

  const refusing = (status: number) => new Response('secret-token', { status })
  test.each([
    ['401', refusing(401), /LEADS_API_TOKEN/],
    ['429', refusing(429), /LEADS_API_PER_SECOND/],
    ['503', refusing(503), /LEADS_API_URL/],
    ['another list', Response.json([]), /LEADS_API_URL/],
  ] as const)('that answers %s is said with what to do, and nothing of it', async (_, answer, says) => {
    const asking = ask(createMemoryBudgetStore(Date.now), async () => answer)
    await expect(asking).rejects.toThrow(says)
    await expect(asking).rejects.not.toThrow('secret')
  })
})

describe('with the settings of a process', { timeout: 60_000 }, () => {
  const newFolder = temporaryFolders()
  const forget = () =>
    ['env', 'services', 'lifecycle'].map((name) => Reflect.deleteProperty(globalThis, Symbol.for(`intag.${name}`)))
  let before: NodeJS.ProcessEnv
  let dataDir = ''
  beforeEach(() => {
    before = process.env
    dataDir = newFolder()
    process.env = { NODE_ENV: 'test', PATH: before.PATH, DATA_DIR: dataDir, PORT: '1', LOG_LEVEL: 'silent' }
  })
  afterEach(() => void (process.env = before))
  const doctor = (settings: Record<string, string> = {}) => {
    forget()
    Object.assign(process.env, settings)
    return runConsole(['doctor']).finally(forget)
  }
  const serviceAt = (url: string) => ({ ...connected, LEADS_API_URL: url })

  test('a database is not made, not touched while another has it open, and refused as a start would', async () => {
    const settings = serviceAt('http://127.0.0.1:1')
    const seal = createSeal([Buffer.from(connected.DATA_KEY, 'base64')])
    expect(await doctor()).toMatchObject({
      exitCode: 0,
      text: expect.stringMatching(/^ok +database +does not exist yet/),
    })
    await placePglite(dataDir)
    const { db, close } = await openPglite(dataDir)
    const env = { mode: 'connected', databaseUrl: null }
    await claimDatabase(testServices({ connect: async () => db, env, seal, now: Date.now }))
    expect(await doctor()).toMatchObject({ exitCode: 1, text: expect.stringContaining('Stop Intag, run this') })
    await close()
    expect((await doctor(settings)).text).toMatch(/^ok +database +answers, with the tables of this release/)
    const later = await openPglite(dataDir)
    expect(await later.db.$count(upstreamRequests), 'its request and the clock').toBe(2)
    await later.close()
    const otherKey = { ...settings, DATA_KEY: randomBytes(32).toString('base64') }
    expect((await doctor(otherKey)).text).toMatch(/^wrong +database +DATA_KEY is not the key/)
  })

  async function startService(status: number) {
    const requested: string[] = []
    const { port, close } = await listen(async ({ url }) => {
      requested.push(new URL(url).pathname)
      return Response.json({ highSchools: [] }, { status })
    }, 0)
    onTestFinished(close)
    return { requested, settings: serviceAt(`http://127.0.0.1:${port}`) }
  }

  test('before the first start the service is asked once, and its clock compared', async () => {
    const { requested, settings } = await startService(200)
    const says = expect.stringMatching(/ok +service +.*\nok +clock +agrees/)
    expect(await doctor(settings)).toEqual({ exitCode: 0, text: says })
    expect(requested).toEqual(['/external/highSchools'])
  })

  test('a mail server is signed in to, and said to be away', async () => {
    const mail = { SMTP_URL: 'smtp://127.0.0.1:1?requireTLS=false', MAIL_FROM: 'intag@skola.example' }
    const { text } = await doctor({ ...serviceAt('http://127.0.0.1:1'), ...mail })
    expect(text).toMatch(/\nwrong +mail +127\.0\.0\.1.*: unreachable \(/)
  })

  test.skipIf(!process.env.TEST_DATABASE_URL)('on an empty PostgreSQL too', async () => {
    const { url, drop } = await createOwnDatabase()
    onTestFinished(drop)
    const { requested, settings } = await startService(401)
    const says = expect.stringMatching(/wrong +service +refuses the token/)
    expect(await doctor({ ...settings, DATABASE_URL: url })).toEqual({ exitCode: 1, text: says })
    expect(requested).toHaveLength(1)
  })
})
