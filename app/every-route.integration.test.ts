import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { callRoute, type RouteResult } from '@/app/testing/call-route'
import { listOtherEntries, listRoutes } from '@/app/testing/list-routes'
import { isReading, type Outcome, type RouteInput, type RouteRow, rows } from '@/app/testing/route-table'
import { listTooLargeInputs, listInputsWithText, makeLongText, repeat } from '@/app/testing/too-large'
import { createSignedInPerson, prepareWorld, type Person, type World } from '@/app/testing/world'
import type { Endpoint } from '@/lib/contract/endpoint'
import { endpoints } from '@/lib/contract/endpoints'
import { loadMessages } from '@/lib/i18n/load-messages'
import { expectEvery } from '@/lib/testing/every-case'
import { activity } from '@/server/base/schema'
import { buildServices } from '@/server/run/services'

// The translations are replaced, because outside Next's own bundle their module only fails.
vi.mock('next-intl/server', () => ({
  getTranslations: async () => (key: string) => key,
  getMessages: () => loadMessages('sv'),
  getLocale: async () => 'sv',
}))

// The limit is long, because one test calls every route.
vi.setConfig({ testTimeout: 120_000 })
const OWN = 'http://localhost:3000'
const FOREIGN = ['http://evil.test', 'http://localhost:3001', 'https://localhost:3000', 'http://127.0.0.1:3000', 'null']

let folder = ''
let world: World
let people: Person[] = []
let admin = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'intag-routes-'))
  for (const name of ['LEADS_API_URL', 'DATABASE_URL', 'NEXTAUTH_URL', 'PORT']) delete process.env[name]
  Object.assign(process.env, { DATA_DIR: folder, LOG_LEVEL: 'silent' })
  // The clock is replaced before any service reads it, because tests move it.
  vi.useFakeTimers({ toFake: ['Date'] })
  const parts = buildServices()
  await parts.connect()
  await parts.feed.waitForLists(20_000)
  parts.lifecycle.markUp()
  const [own = '', other = ''] = [...(parts.demo?.staffSchools ?? [])]
  const staff = await createSignedInPerson('staff', [own])
  const boss = await createSignedInPerson('admin', 'all')
  const others = [await createSignedInPerson('staff', [other]), await createSignedInPerson('staff', [])]
  people = [staff, ...others, await createSignedInPerson('manager', 'all'), boss]
  admin = boss.cookie
  world = await prepareWorld(staff, boss, own)
})
afterAll(async () => {
  vi.useRealTimers()
  const parts = buildServices()
  parts.feed.stop()
  await parts.database.close()
  await rm(folder, { recursive: true })
  Reflect.deleteProperty(globalThis, Symbol.for('intag.services'))
  Reflect.deleteProperty(globalThis, Symbol.for('intag.env'))
})

const getName = ({ name }: RouteRow) => name
const makeInput = async (row: RouteRow): Promise<RouteInput> => (await row.input?.(world)) ?? {}
/** The rows of endpoints that are served like all others, with their declarations. */
const declaredRows = Object.entries<Endpoint>(endpoints).flatMap(([name, endpoint]) => {
  const row = rows.find((each) => each.name === name)
  return row && !endpoint.hasOwnHandler ? [{ ...row, endpoint }] : []
})
const createAdminHeaders = (type = 'application/json') => ({ cookie: admin, origin: OWN, 'content-type': type })
const expectedWithoutSession = ({ name, withoutSession }: RouteRow): Outcome =>
  withoutSession ?? (name.startsWith('PAGE') ? 'to /signin' : 401)

/** Returns the declared schema of an answer in JSON, or undefined for a page or a file. */
function findAnswerSchema(name: string): z.ZodType | undefined {
  const endpoint = (endpoints as Record<string, Endpoint>)[name]
  return endpoint && (endpoint.answer ?? (endpoint.responseTypes ? undefined : z.strictObject({})))
}

async function callAs(row: RouteRow, cookie: string | null, origin: string | null = OWN): Promise<RouteResult> {
  const from: Record<string, string> = { ...(cookie !== null && { cookie }), ...(origin !== null && { origin }) }
  return callRoute(row.name, await makeInput(row), from)
}

/** Changes a character of the encrypted session. */
const forgeCookie = (cookies: string) =>
  cookies.replace(/(session-token=[^;]*)([^;])(?=[^;]{30}(?:;|$))/, (_, before: string, letter: string) =>
    before.concat(letter === 'A' ? 'B' : 'A'),
  )

test('every route and page has its row, and every row its file', async () => {
  const routes = await listRoutes()
  expect(rows.map(({ name }) => name).toSorted()).toEqual(routes.map(({ name }) => name).toSorted())
})

test('nothing answers but routes and pages', () => {
  expect(listOtherEntries()).toEqual([])
})

test('each route and page answers each of the roles and reaches as its row says, and in JSON as it is declared', () =>
  expectEvery(rows, getName, async (row) => {
    const outcomes: Outcome[] = []
    const schema = findAnswerSchema(row.name)
    for (const { cookie } of people) {
      const { outcome, json } = await callAs(row, cookie)
      outcomes.push(outcome)
      // Parsing would leave out what is not declared.
      const known = outcome === 200 && schema && json !== undefined ? schema.parse(json) : json
      expect(known).toEqual(json)
    }
    expect(outcomes).toEqual(row.outcomes)
  }))

test('the schools are those in reach', async () => {
  const { json } = await callRoute('GET /api/high-schools', {}, { cookie: people[0]?.cookie ?? '' })
  expect(json).toMatchObject({ highSchools: [expect.anything()] })
})

test('none answers who is not signed in, or whose cookie is forged', () =>
  expectEvery(rows, getName, async (row) => {
    expect((await callAs(row, forgeCookie(admin))).outcome, 'a forged cookie').toBe(expectedWithoutSession(row))
    expect((await callAs(row, null)).outcome).toBe(expectedWithoutSession(row))
  }))

test('next-auth is asked nothing by a sign-in that only claims to be JSON, or by a logout token without a provider', async () => {
  const asked = async (nextauth: string[], from: Record<string, string>) =>
    (await callRoute('POST /api/auth/[...nextauth]', { params: { nextauth } }, from)).outcome
  expect(await asked(['callback', 'credentials'], { origin: OWN, 'content-type': 'application/json' })).toBe(400)
  expect(await asked(['backchannel-logout'], {})).toBe(400)
  expect(await asked(['backchannel-logout'], { origin: 'http://evil.test' })).toBe(403)
})

test('a page that is refused is in the log once, by its pattern', async () => {
  const wanted = rows.flatMap(({ name, outcomes }) =>
    outcomes.flatMap((outcome, index) =>
      outcome === 'no access' ? [`${people[index]?.id} ${name.slice('PAGE '.length)}`] : [],
    ),
  )
  const again = await callRoute('PAGE /admin/users', {}, { cookie: people[0]?.cookie ?? '' })
  expect(again.outcome).toBe('no access')
  const refused = async () => {
    const db = await buildServices().connect()
    const entries = await db.select().from(activity).where(eq(activity.action, 'refused'))
    return entries
      .filter(({ details }) => !String(details?.route).startsWith('/api/'))
      .map(({ userId, details }) => `${userId} ${String(details?.route).replace(/:(\w+)/, '[$1]')}`)
  }
  await vi.waitFor(async () => expect((await refused()).toSorted()).toEqual(wanted.toSorted()))
})

describe('what is sent', () => {
  test('is refused by the name of a field that is too large, and as nothing by an id that is too long', () =>
    expectEvery(declaredRows, getName, async (row) => {
      const { params, query, body } = row.endpoint
      const right = await makeInput(row)
      const refused = async (wrong: RouteInput) => {
        const { outcome, json } = await callRoute(row.name, { ...right, ...wrong }, createAdminHeaders())
        return [outcome, (json as { error: string }).error.replace('Bad parameter: ', '')]
      }
      for (const { input } of params ? listTooLargeInputs(params) : [])
        expect(await refused({ params: { ...right.params, ...input } })).toEqual([404, 'Not Found'])
      for (const { path, input } of query ? listTooLargeInputs(query) : []) {
        const [[name = '', values] = []] = Object.entries(input)
        const given = { ...right.query, [name]: [values].flat().map(String) }
        expect(await refused({ query: given }), path).toEqual([400, name])
      }
      for (const { path, input } of body ? listTooLargeInputs(body) : []) {
        const [status, named = ''] = await refused({ body: { ...(right.body as object), ...input } })
        // Of several kinds of body, or of one within it, the whole is named.
        const isNamed = named === 'body' || path.startsWith(String(named).replaceAll(/\.\d+/g, ''))
        expect([status, isNamed], `${path}, named ${named}`).toEqual([400, true])
      }
    }))

  const list = 'asked-questions'
  const matching = { list, id: repeat(99, makeLongText(300)) }
  test.each([
    ['POST /api/list-counts', { matching }],
    ['POST /api/exports', { list, matching, purpose: 'p' }],
    ['POST /api/exports/preview', { list, matching }],
    ['POST /api/views', { list, name: 'n', query: { id: matching.id }, shared: true }],
  ])('to %s is refused when a filter is longer than an address could be', async (name, body) => {
    expect((await callRoute(name, { body }, createAdminHeaders())).outcome).toBe(400)
  })

  test('is refused with a parameter or field that is not declared, of another type, and of more than a megabyte', () =>
    expectEvery(declaredRows, getName, async (row) => {
      const right = await makeInput(row)
      const sent = async (wrong: RouteInput, type?: string) =>
        (await callRoute(row.name, { ...right, ...wrong }, createAdminHeaders(type))).outcome
      expect(await sent({ query: { unknown: repeat(200, 'x') } }), 'a parameter').toBe(400)
      if (row.endpoint.body === undefined) return
      expect(await sent({ body: { ...(right.body as object), unknown: 'x' } }), 'a field').toBe(400)
      expect(await sent({}, 'text/html'), 'a type').toBe(415)
      const largest = row.endpoint.who === 'anyone' ? 20_000 : 1_000_000
      expect(await sent({ body: { ...(right.body as object), more: makeLongText(largest) } }), 'a megabyte').toBe(413)
    }))
})

test('from another origin nothing is changed and nothing may be read', () =>
  expectEvery(rows, getName, async (row) => {
    const read = await callAs(row, admin, 'http://evil.test')
    expect(read.allowedOrigin).toBeNull()
    if (isReading(row)) return
    const refused = row.originRule === 'any' ? row.outcomes[4] : 403
    for (const origin of FOREIGN) expect((await callAs(row, admin, origin)).outcome, origin).toBe(refused)
    const unnamed = row.originRule === undefined ? 403 : row.outcomes[4]
    expect((await callAs(row, admin, null)).outcome, 'no origin').toBe(unnamed)
  }))

test('the log takes no text of a request, but a user’s schools from administrators', async () => {
  const said = 'Elsa Ek 08'
  await expectEvery(declaredRows, getName, async ({ endpoint: { body }, ...row }) => {
    for (const input of body ? listInputsWithText(body, said) : []) {
      const right = await makeInput(row)
      await callRoute(row.name, { ...right, body: { ...(right.body as object), ...input } }, createAdminHeaders())
    }
  })
  const entries = await (await buildServices().connect()).select().from(activity)
  expect(entries.length).toBeGreaterThan(50)
  const saying = entries.filter((entry) => JSON.stringify(entry).includes(said))
  expect([...new Set(saying.map(({ action }) => action))].toSorted()).toEqual(['user-changed'])
})

test('ten minutes after signing in to what is no demo, what weighs much asks for a proof', async () => {
  const weighty = declaredRows.filter(({ endpoint }) => endpoint.proof)
  // The requests are prepared before the clock is moved, because some make what they are about.
  const inputs = new Map<string, RouteInput>()
  for (const row of weighty) inputs.set(row.name, await makeInput(row))
  const { env } = buildServices()
  Reflect.set(env, 'mode', 'connected')
  onTestFinished(() => void Reflect.set(env, 'mode', 'demo'))
  vi.setSystemTime(Date.now() + 11 * 60_000)
  await expectEvery(weighty, getName, async (row) => {
    const response = await callRoute(row.name, inputs.get(row.name) ?? {}, { cookie: admin, origin: OWN })
    expect(response).toMatchObject({ outcome: 403, reason: 'proof-by-password' })
  })
})
