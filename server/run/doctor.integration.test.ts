import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createPglite, type OpenDatabase, openPglite } from '@/server/base/database'
import { placePglite } from '@/server/base/testing/in-memory'
import { createOwnDatabase } from '@/server/base/testing/own-database'
import { createSeal } from '@/server/base/seal'
import { claimDatabase } from './database-identity'
import { createBudget } from '@/server/feed/budget'
import { type BudgetStore, isRequest } from '@/server/feed/request-log'
import { createMemoryBudgetStore } from '@/server/feed/testing/budget-doubles'
import { temporaryFolders } from '@/server/testing/folder'
import { runAdmin } from './run'
import { askOnce, report } from './doctor'

const limits = { perSecond: 10, perHour: 600 }
const asked = { url: 'https://service.test', token: 'secret-token', schools: [] }

function budgetIn(store: BudgetStore) {
  return createBudget({ limits, clock: { now: Date.now, monotonic: () => performance.now() }, store })
}

describe('the service', () => {
  test('is asked once, and that request takes a place', async () => {
    const store = createMemoryBudgetStore()
    const urls: string[] = []
    const transport = async ({ url }: { url: string }) => {
      urls.push(url)
      return Response.json({ highSchools: [] })
    }
    const checks = await askOnce({ ...asked, budget: budgetIn(store), transport })
    expect(checks.map(({ what, state }) => [what, state])).toEqual([['service', 'ok']])
    expect(urls).toEqual(['https://service.test/external/highSchools'])
    await store.update(({ requests }) => {
      expect(requests.filter(isRequest)).toHaveLength(1)
      return { write: [], remove: [] }
    })
  })

  test('is not asked when no place is free, or none can be counted', async () => {
    const never = async () => Promise.reject(new Error('asked'))
    const store = { update: () => Promise.reject(new Error('away')) }
    const [check] = await askOnce({ ...asked, budget: budgetIn(store), transport: never })
    expect(check).toMatchObject({ state: 'look', says: expect.stringContaining('not asked') })
  })

  const groups = (...grants: string[]) => ({ claim: 'groups', value: 'x', grants })
  const map = [groups('s1'), { ...groups(), grants: 'all' as const }, groups('s1', 'typo')]
  const refused = (status: number) => new Response('secret-token', { status })
  test.each([
    ['401', refused(401), [['service', 'wrong', /LEADS_API_TOKEN/]]],
    ['404', refused(404), [['service', 'wrong', /LEADS_API_URL/]]],
    ['429', refused(429), [['service', 'wrong', /LEADS_API_PER_SECOND/]]],
    ['503', refused(503), [['service', 'wrong', /LEADS_API_URL/]]],
    ['a page', new Response('<html>'), [['service', 'wrong', /./]]],
    ['another list', Response.json([]), [['service', 'wrong', /./]]],
    [
      'schools without one of the map',
      Response.json({ highSchools: [{ id: 's1' }] }),
      [
        ['service', 'ok', /^$/],
        ['OIDC_SCHOOL_MAP', 'wrong', /./],
      ],
    ],
  ] as const)('that answers %s is said with what to do, and nothing of it', async (_, answer, expected) => {
    const budget = budgetIn(createMemoryBudgetStore())
    const checks = await askOnce({ ...asked, budget, schools: map, transport: async () => answer })
    expect(checks.map(({ what, state, todo = '' }) => [what, state, todo])).toEqual(
      expected.map(([what, state, todo]) => [what, state, expect.stringMatching(todo)]),
    )
    expect(JSON.stringify(checks)).not.toMatch(/secret|typo/)
  })
})

test('the table says what to do under what is not in order', () => {
  const disk = { what: 'disk', state: 'ok', says: '1 GB free' } as const
  const text = report([disk, { what: 'address', state: 'wrong', says: 'nobody', todo: 'Start it.' }])
  expect(text.split('\n')).toEqual([
    'ok     disk     1 GB free',
    'wrong  address  nobody',
    '                Start it.',
    '',
    '1 in order, 0 to look at, 1 wrong.',
  ])
})

const server = process.env.TEST_DATABASE_URL
async function emptyPostgres(): Promise<{ DATABASE_URL: string }> {
  const { url, drop } = await createOwnDatabase()
  onTestFinished(drop)
  return { DATABASE_URL: url }
}

describe('with the settings of a process', { timeout: 60_000 }, () => {
  const ENV = Symbol.for('intag.env')
  const newFolder = temporaryFolders()
  let before: NodeJS.ProcessEnv
  let dataDir = ''
  beforeEach(() => {
    before = process.env
    dataDir = newFolder()
    process.env = { NODE_ENV: 'test', PATH: before.PATH, DATA_DIR: dataDir, PORT: '1' }
    Reflect.deleteProperty(globalThis, ENV)
  })
  afterEach(() => {
    process.env = before
    Reflect.deleteProperty(globalThis, ENV)
  })
  async function emptyPglite() {
    await placePglite(dataDir)
    const made = await createPglite({ dataDir: join(dataDir, 'pg') })
    await made.exec('drop schema public, drizzle cascade; create schema public')
    await made.close()
    return {}
  }
  async function madePglite() {
    await placePglite(dataDir)
    return openPglite(dataDir)
  }
  const doctor = (...args: string[]) => runAdmin(['doctor', ...args], 'intag admin')

  test('wrong settings are all named, and end with 1', async () => {
    Object.assign(process.env, { LEADS_API_URL: 'https://service.test', DATA_KEY: 'short-secret' })
    const { code, out } = await doctor()
    expect(code).toBe(1)
    expect(out).toMatch(/wrong {2}settings.*LEADS_API_TOKEN is missing/)
    expect(out).toMatch(/wrong {2}settings.*DATA_KEY must be 32 bytes/)
    expect(out).not.toContain('short-secret')
  })

  test('a database that is not made yet is not made', async () => {
    const { code, out } = await doctor('--json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toContainEqual({ what: 'database', state: 'ok', says: 'PGlite; the first start makes it' })
  })

  test('a database that another process has open is not touched', async () => {
    const { close } = await madePglite()
    expect(await doctor()).toMatchObject({ code: 1, err: expect.stringContaining('Stop Intag, run this') })
    await close()
    expect((await doctor()).out).toMatch(/ok {5}database, tables +as this release knows them/)
  })

  describe('of a real service', () => {
    const KEYS = [1, 2].map((seed) => Buffer.from(Array.from({ length: 32 }, (_, at) => at * 7 + seed)))
    const connected = (key: Buffer | undefined, url = 'http://127.0.0.1:1') =>
      Object.assign(process.env, {
        LEADS_API_URL: url,
        LEADS_API_TOKEN: 'secret-token',
        NEXTAUTH_URL: 'http://localhost:3000',
        NEXTAUTH_SECRET: 'q8Zr2LwX0vKd5Tn7Hs3Y',
        DATA_KEY: key?.toString('base64'),
      })
    const partsOf = ({ db }: OpenDatabase, key: Buffer | undefined) => {
      const dataKeys = { current: new Uint8Array(key ?? []), previous: null }
      const env = { dataDir, databaseUrl: null, mode: 'connected', limits } as const
      return { connect: async () => db, env, dataKeys, seal: createSeal(dataKeys), now: Date.now }
    }

    test('whatever the start would refuse of the database is wrong', async () => {
      const database = await madePglite()
      await claimDatabase(partsOf(database, KEYS[0]))
      await database.close()
      connected(KEYS[0])
      Object.assign(process.env, { BOOTSTRAP_ADMIN_EMAIL: 'a@x.test', BOOTSTRAP_ADMIN_PASSWORD: 'passwordpassword' })
      expect(await doctor('--no-service')).toMatchObject({ code: 1, out: expect.stringContaining('is one that many') })
      for (const name of ['EMAIL', 'PASSWORD']) Reflect.deleteProperty(process.env, `BOOTSTRAP_ADMIN_${name}`)
      Reflect.deleteProperty(globalThis, ENV)
      expect(await doctor('--no-service')).toMatchObject({ code: 0, out: expect.stringContaining(', 0 wrong') })
      Reflect.deleteProperty(globalThis, ENV)
      connected(KEYS[1])
      const { code, out } = await doctor('--no-service')
      expect([code, out]).toEqual([1, expect.stringMatching(/wrong {2}settings +DATA_KEY is not the key/)])
      expect(out).toContain(', 1 wrong.')
    })

    const noFolder = async () => ({})
    const refused = { status: 401, code: 1, says: /wrong +service +refuses the token/ }
    const cases = [
      { on: 'no folder', prepare: noFolder, status: 200, code: 0, says: /ok +service +answers/ },
      { on: 'no folder', prepare: noFolder, status: null, code: 1, says: /wrong +service .*ECONNREFUSED/ },
      { on: 'an empty PGlite', prepare: emptyPglite, ...refused },
      ...(server === undefined ? [] : [{ on: 'an empty PostgreSQL', prepare: emptyPostgres, ...refused }]),
    ]
    test.each(cases)(
      'before the first start, on $on, the service is asked once; it answers $status',
      async ({ prepare, status, code, says }) => {
        let requests = 0
        const service = createServer((_request, response) => {
          requests += 1
          response.writeHead(status ?? 0).end('{"highSchools":[]}')
        }).listen(0, '127.0.0.1')
        await once(service, 'listening')
        onTestFinished(() => void service.close())
        const { port } = service.address() as AddressInfo
        connected(KEYS[0], `http://127.0.0.1:${status === null ? 1 : port}`)
        Object.assign(process.env, await prepare())
        expect(await doctor()).toEqual({ code, out: expect.stringMatching(says), err: '' })
        expect(requests).toBe(status === null ? 0 : 1)
      },
    )
  })
})
