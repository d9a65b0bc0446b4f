import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createPglite, openPglite } from '@/server/base/database'
import { createSeal } from '@/server/base/seal'
import { placePglite } from '@/server/base/testing/in-memory'
import { createOwnDatabase } from '@/server/base/testing/own-database'
import { createBudget } from '@/server/feed/budget'
import { type BudgetStore, isRequest } from '@/server/feed/request-log'
import { createMemoryBudgetStore } from '@/server/feed/testing/budget-doubles'
import { temporaryFolders } from '@/server/testing/folder'
import { testServices } from '@/server/testing/services'
import { runConsole } from './console'
import { claimDatabase } from './database-identity'
import { askService } from './doctor'

const asked = { url: 'https://service.test', token: 'secret-token' }

function budgetIn(store: BudgetStore) {
  const clock = { now: Date.now, monotonic: () => performance.now() }
  return createBudget({ limits: { perSecond: 10, perHour: 600 }, clock, store })
}

describe('the service', () => {
  test('is asked once, and that request takes a place', async () => {
    const store = createMemoryBudgetStore()
    const urls: string[] = []
    const transport = async ({ url }: { url: string }) => {
      urls.push(url)
      return Response.json({ highSchools: [{ id: 's1', name: 'Norra' }] })
    }
    expect(await askService({ ...asked, budget: budgetIn(store), transport })).toContain('Norra (s1)')
    expect(urls).toEqual(['https://service.test/external/highSchools'])
    await store.update(({ requests }) => {
      expect(requests.filter(isRequest)).toHaveLength(1)
      return { write: [], remove: [] }
    })
  })

  test('is not asked when no place is free, or none can be counted', async () => {
    const never = async () => Promise.reject(new Error('asked'))
    const store = { update: () => Promise.reject(new Error('away')) }
    await expect(askService({ ...asked, budget: budgetIn(store), transport: never })).rejects.toThrow('not asked')
  })

  const refused = (status: number) => new Response('secret-token', { status })
  test.each([
    ['401', refused(401), /LEADS_API_TOKEN/],
    ['404', refused(404), /LEADS_API_URL/],
    ['429', refused(429), /LEADS_API_PER_SECOND/],
    ['503', refused(503), /LEADS_API_URL/],
    ['a page', new Response('<html>'), /LEADS_API_URL/],
    ['another list', Response.json([]), /LEADS_API_URL/],
  ] as const)('that answers %s is said with what to do, and nothing of it', async (_, answer, says) => {
    const budget = budgetIn(createMemoryBudgetStore())
    const asking = askService({ ...asked, budget, transport: async () => answer })
    const { message } = await asking.then(
      () => new Error('it answered'),
      (error: Error) => error,
    )
    expect(message).toMatch(says)
    expect(message).not.toContain('secret')
  })
})

describe('with the settings of a process', { timeout: 60_000 }, () => {
  const newFolder = temporaryFolders()
  const forget = () =>
    ['env', 'services', 'lifecycle'].map((name) => Reflect.deleteProperty(globalThis, Symbol.for(`intag.${name}`)))
  const KEYS = [1, 2].map((seed) => Buffer.from(Array.from({ length: 32 }, (_, at) => at * 7 + seed)))
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
    return runConsole(['doctor'], 'intag admin').finally(forget)
  }
  const connected = (key: Buffer | undefined, url = 'http://127.0.0.1:1') => ({
    LEADS_API_URL: url,
    LEADS_API_TOKEN: 'secret-token',
    NEXTAUTH_URL: 'http://localhost:3000',
    NEXTAUTH_SECRET: 'q8Zr2LwX0vKd5Tn7Hs3Y',
    DATA_KEY: key?.toString('base64') ?? '',
  })

  test('wrong settings are all named, and end with 1', async () => {
    const { code, text } = await doctor({ LEADS_API_URL: 'https://service.test', DATA_KEY: 'short-secret' })
    expect(code).toBe(1)
    expect(text).toMatch(/LEADS_API_TOKEN is missing/)
    expect(text).toMatch(/DATA_KEY must be 32 bytes/)
    expect(text).not.toContain('short-secret')
  })

  test('a database that is not made yet is not made, and one that another process has open not touched', async () => {
    expect(await doctor()).toMatchObject({ code: 0, text: expect.stringMatching(/^ok +database +does not exist yet/) })
    await placePglite(dataDir)
    const { close } = await openPglite(dataDir)
    expect(await doctor()).toMatchObject({ code: 1, text: expect.stringContaining('Stop Intag, run this') })
    await close()
    expect((await doctor()).text).toMatch(/^ok +database +answers, with the tables of this release/)
  })

  test('whatever the start would refuse of the database is wrong', async () => {
    await placePglite(dataDir)
    const { db, close } = await openPglite(dataDir)
    const seal = createSeal({ current: new Uint8Array(KEYS[0] ?? []), previous: null })
    const env = { mode: 'connected', databaseUrl: null } as const
    await claimDatabase(testServices({ connect: async () => db, env, seal, now: Date.now }))
    await close()
    expect((await doctor(connected(KEYS[1]))).text).toMatch(/^wrong +database +DATA_KEY is not the key/)
  })

  const server = process.env.TEST_DATABASE_URL
  const nothing = async () => ({})
  async function emptyPglite() {
    await placePglite(dataDir)
    const made = await createPglite({ dataDir: join(dataDir, 'pg') })
    await made.exec('drop schema public, drizzle cascade; create schema public')
    await made.close()
    return {}
  }
  async function emptyPostgres() {
    const { url, drop } = await createOwnDatabase()
    onTestFinished(drop)
    return { DATABASE_URL: url }
  }
  const refused = { status: 401, code: 1, says: /wrong +service +refuses the token/ }
  test.each([
    { on: 'no folder', prepare: nothing, status: 200, code: 0, says: /ok +service +answers[^]*ok +clock +agrees/ },
    { on: 'an empty PGlite', prepare: emptyPglite, ...refused },
    ...(server === undefined ? [] : [{ on: 'an empty PostgreSQL', prepare: emptyPostgres, ...refused }]),
  ])(
    'before the first start, on $on, the service is asked once; it answers $status',
    async ({ prepare, status, code, says }) => {
      let requests = 0
      const service = createServer((_request, response) => {
        requests += 1
        response.writeHead(status).end('{"highSchools":[]}')
      }).listen(0, '127.0.0.1')
      await once(service, 'listening')
      onTestFinished(() => void service.close())
      const { port } = service.address() as AddressInfo
      const found = await doctor({ ...connected(KEYS[0], `http://127.0.0.1:${port}`), ...(await prepare()) })
      expect([found.code, found.text, requests]).toEqual([code, expect.stringMatching(says), 1])
    },
  )
})
