import '@/app/testing/in-request'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { NextRequest } from 'next/server'
import { POST } from '@/app/api/auth/[...nextauth]/route'
import { type Answered, answerTo, otherWaysIn, type Place, placesInFiles } from '@/app/testing/ask-route'
import { inRequest } from '@/app/testing/in-request'
import { type Person, signedInPerson } from '@/app/testing/people'
import { type Answer, type Ask, type Row, routeTable, type World } from '@/app/testing/route-table'
import { findWorld } from '@/app/testing/world'
import { activity } from '@/server/db/schema'
import { loadMessages } from '@/lib/i18n/load-messages'
import { expectEveryAsync } from '@/lib/testing/every-case'
import { services } from '@/server/services'

// Outside Next's own bundle it answers with an error only; what it says is not looked at here.
vi.mock('next-intl/server', () => ({
  getTranslations: async () => (key: string) => key,
  getMessages: () => loadMessages('sv'),
  getLocale: async () => 'sv',
}))

// One test asks every route.
vi.setConfig({ testTimeout: 120_000 })
const OWN = 'http://localhost:3000'
const FOREIGN = ['http://evil.test', 'http://localhost:3001', 'https://localhost:3000', 'http://127.0.0.1:3000', 'null']
const HOUR_MS = 3_600_000

let folder = ''
let places: Place[] = []
let world: World
const people: Person[] = []
let admin = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'intag-routes-'))
  for (const name of ['LEADS_API_URL', 'DATABASE_URL', 'REDIS_URL', 'NEXTAUTH_URL', 'PORT']) delete process.env[name]
  Object.assign(process.env, { DATA_DIR: folder, LOG_LEVEL: 'silent' })
  // Before any part takes the clock: tests move it.
  vi.useFakeTimers({ toFake: ['Date'] })
  places = await placesInFiles()
  const parts = services()
  // What is too much at once is looked at elsewhere; here the machine may be slow.
  parts.load.begin = () => () => {}
  await parts.connect()
  await parts.feed.ready(20_000)
  parts.lifecycle.up()
  const [own = '', other = ''] = [...(parts.demo?.staffSchools ?? [])]
  for (const [role, schools] of [
    ['staff', [own]],
    ['staff', [other]],
    ['staff', []],
    ['manager', 'all'],
    ['admin', 'all'],
  ] as const) {
    people.push(await signedInPerson(role, schools === 'all' ? 'all' : [...schools]))
  }
  admin = people[4]?.cookie ?? ''
  world = await findWorld(people[0]?.cookie ?? '', admin, own)
})
afterAll(async () => {
  vi.useRealTimers()
  const parts = services()
  parts.feed.stop()
  await parts.database.close()
  await rm(folder, { recursive: true })
  Reflect.deleteProperty(globalThis, Symbol.for('intag.services'))
  Reflect.deleteProperty(globalThis, Symbol.for('intag.env'))
})

const rows = routeTable.flatMap((row) => {
  const [path = '', ...methods] = row.at.split(' ').toReversed()
  return methods.map((method) => ({ ...row, at: `${method} ${path}`, method }))
})
const nameOf = ({ at }: Row) => at
const placeOf = ({ at }: Row): Place => {
  const place = places.find((each) => each.at === at)
  if (!place) throw new Error(`${at} has no file`)
  return place
}
const ask = async (row: Row): Promise<Ask> => (await row.ask?.(world)) ?? {}
const changes = rows.filter(({ method }) => !['PAGE', 'GET', 'HEAD', 'OPTIONS'].includes(method))
const nobodyIsTold = ({ at, nobody }: Row): Answer => nobody ?? (at.startsWith('PAGE') ? 'to /signin' : 401)

async function askedBy(row: Row, cookie: string | null, origin: string | null = OWN): Promise<Answered> {
  const from: Record<string, string> = { ...(cookie !== null && { cookie }), ...(origin !== null && { origin }) }
  return answerTo(placeOf(row), await ask(row), from)
}

/** A character of what was enciphered is another. */
const forged = (cookies: string) =>
  cookies.replace(/(session-token=[^;]*)([^;])(?=[^;]{30}(?:;|$))/, (_, before: string, letter: string) =>
    before.concat(letter === 'A' ? 'B' : 'A'),
  )

test('every route and page has its row, and every row its file', () => {
  expect(rows.map(({ at }) => at).toSorted()).toEqual(places.map(({ at }) => at).toSorted())
})

test('nothing answers but routes and pages', () => {
  expect(otherWaysIn()).toEqual([])
})

test('each route and page answers each of the roles and reaches as its row says', () =>
  expectEveryAsync(rows, nameOf, async (row) => {
    const answers: Answer[] = []
    for (const { cookie } of people) answers.push((await askedBy(row, cookie)).answer)
    expect(answers).toEqual(row.who)
  }))

test('none answers who is not signed in, or whose cookie is forged', () =>
  expectEveryAsync(rows, nameOf, async (row) => {
    expect((await askedBy(row, forged(admin))).answer, 'a forged cookie').toBe(nobodyIsTold(row))
    const { answer, allowedOrigin } = await askedBy(row, null)
    expect(answer).toBe(nobodyIsTold(row))
    expect(allowedOrigin, 'no other origin may read it').toBeNull()
  }))

test('a sign-in that is no JSON, and says it is, is the sender’s fault', async () => {
  const init = { method: 'POST', headers: { 'content-type': 'application/json', origin: OWN }, body: '{"email":' }
  const request = new NextRequest(`${OWN}/api/auth/callback/credentials`, init)
  const params = Promise.resolve({ nextauth: ['callback', 'credentials'] })
  expect((await inRequest(request, () => POST(request, { params }))).status).toBe(400)
})

test('a page that is refused is in the log once, by its pattern, like a route', async () => {
  const wanted = rows.flatMap(({ at, who }) =>
    who.flatMap((answer, index) =>
      answer === 'no access' ? [`${people[index]?.id} ${at.slice('PAGE '.length)}`] : [],
    ),
  )
  const asStaff = { cookie: people[0]?.cookie ?? '' }
  const place = places.find(({ at }) => at === 'PAGE /admin/users')
  if (place) for (let times = 0; times < 3; times += 1) await answerTo(place, {}, asStaff)
  const refused = async () => {
    const db = await services().connect()
    const entries = await db.select().from(activity).where(eq(activity.action, 'refused'))
    return entries
      .filter(({ details }) => !String(details?.route).startsWith('/api/'))
      .map(({ userId, details }) => `${userId} ${String(details?.route).replace(':id', '[id]')}`)
  }
  await vi.waitFor(async () => expect((await refused()).toSorted()).toEqual(wanted.toSorted()))
})

test('a hundred spellings of one path are one row of the log, and none of them is in it', async () => {
  const place = places.find(({ at }) => at === 'GET /api/contacts/[id]')
  const manager = people[3] ?? { id: '', cookie: '' }
  const db = await services().connect()
  const contacts = async () => {
    const entries = await db.select().from(activity).where(eq(activity.userId, manager.id))
    return entries.flatMap(({ details }) => (String(details?.route).includes('contacts/:id') ? [details] : []))
  }
  const before = await contacts()
  for (let n = 0; n < 100; n += 1) {
    const id = `%25${(65 + n).toString(16)}eva${'%2541'.repeat(n * 30)}`
    const { answer } = place ? await answerTo(place, { params: { id } }, { cookie: manager.cookie }) : { answer: 0 }
    expect(answer).toBe(403)
  }
  const route = '/api/contacts/:id'
  await vi.waitFor(async () => expect(await contacts()).toContainEqual({ method: 'GET', route }))
  const gets = (await contacts()).filter((details) => details?.method === 'GET' && details.route === route)
  expect(gets).toHaveLength(1)
  expect((await contacts()).length - before.length).toBeLessThanOrEqual(1)
  const all = await db.select().from(activity)
  expect(JSON.stringify(all)).not.toMatch(/%25|eva/)
})

test('a logout token is asked for no cookie and no origin, and refused without a provider', async () => {
  const place = places.find(({ at }) => at === 'POST /api/auth/[...nextauth]')
  const asked = { params: { nextauth: ['backchannel-logout'] } }
  const answers = [{}, { origin: OWN }, { cookie: admin }, { origin: 'http://evil.test' }].map(async (from) =>
    place ? (await answerTo(place, asked, from as Record<string, string>)).answer : 0,
  )
  expect(await Promise.all(answers)).toEqual([400, 400, 400, 403])
})

describe('from another origin', () => {
  test('nothing is changed', () =>
    expectEveryAsync(changes, nameOf, async (row) => {
      const refused = row.foreign === 'like-own' ? row.who[4] : 403
      for (const origin of FOREIGN) expect((await askedBy(row, admin, origin)).answer, origin).toBe(refused)
      const unnamed = row.foreign === undefined ? 403 : row.who[4]
      expect((await askedBy(row, admin, null)).answer, 'no origin').toBe(unnamed)
    }))

  test('nothing may be read', () =>
    expectEveryAsync(
      rows.filter((row) => !changes.includes(row)),
      nameOf,
      async (row) => {
        const { allowedOrigin } = await askedBy(row, admin, 'http://evil.test')
        expect(allowedOrigin).toBeNull()
      },
    ))
})

describe('ten minutes after signing in to what is no demo', () => {
  const weighty = [
    'POST /api/users',
    'PATCH /api/users/[id]',
    'POST /api/users/[id]/invitation',
    'DELETE /api/users/[id]/identities',
    'DELETE /api/users/[id]/second-factors',
    'DELETE /api/users/[id]/sessions',
    'PUT /api/sign-in-rules',
    'POST /api/templates',
    'PUT /api/templates/[id]',
    'DELETE /api/templates/[id]',
    'PUT /api/reading/limits',
    'POST /api/protections',
    'PATCH /api/protections/[id]',
    'DELETE /api/protections/[id]',
    'POST /api/contacts/[id]/extract',
    'POST /api/contacts/[id]/erasure',
  ]
  beforeAll(() => {
    Reflect.set(services().env, 'mode', 'connected')
    vi.setSystemTime(Date.now() + 11 * 60_000)
  })
  afterAll(() => void Reflect.set(services().env, 'mode', 'demo'))

  test('what weighs much asks anew who it is', () =>
    expectEveryAsync(weighty, String, async (at) => {
      const row = rows.find((each) => each.at === at)
      expect(row && (await askedBy(row, admin)).answer).toBe(403)
    }))

  test('so does where answers go, and no other setting of the work', async () => {
    const place = places.find(({ at }) => at === 'PATCH /api/settings')
    const change = async (body: object) => (place ? answerTo(place, { body }, { cookie: admin, origin: OWN }) : null)
    expect(await change({ calendar: [], replyTo: { x: 'eva@evil.test' } })).toMatchObject({ answer: 403 })
    expect(await change({ replyTo: { x: null } })).toMatchObject({ answer: 403 })
    expect(await change({ calendar: [] })).toMatchObject({ answer: 200 })
  })
})

describe('half a day later', () => {
  const asks = new Map<string, Ask>()
  beforeAll(async () => {
    // What is asked about is made while its staff are still signed in.
    for (const row of rows) asks.set(row.at, await ask(row))
    vi.setSystemTime(Date.now() + 13 * HOUR_MS)
  })

  test('nobody is signed in any more', () =>
    expectEveryAsync(rows, nameOf, async (row) => {
      const { answer } = await answerTo(placeOf(row), asks.get(row.at) ?? {}, { cookie: admin, origin: OWN })
      expect(answer).toBe(nobodyIsTold(row))
    }))
})
