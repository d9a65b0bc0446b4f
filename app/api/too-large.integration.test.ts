import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectEveryAsync } from '@/lib/testing/every-case'
import { renewedSessionCookie } from '@/server/access/session-cookie'
import { makeViewer } from '@/server/access/viewer'
import { createLoad } from '@/server/http/load'
import * as otherMethods from '@/server/http/other-methods'
import { createLogger } from '@/server/logger'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
type Method = (typeof METHODS)[number]
type Handler = (request: Request, context: { params: Promise<unknown> }) => Promise<Response>
type Route = Partial<Record<Method, Handler>>

const long = (length: number) => 'x'.repeat(length + 1)
const many = <T>(most: number, value: T): T[] => Array.from({ length: most + 1 }, () => value)
const lead = { kind: 'asked-question', id: 'q1' } as const
const list = 'asked-questions'
const cycle = { applicationOpens: '01-15', applicationCloses: '02-15', preliminary: '04-15' }
const wholeCycle = { ...cycle, changePeriodEnds: '05-15', final: '07-01', reservesEnd: '09-15' }
const template = { language: 'sv', name: 'n', subject: 's', body: 'b' }
const user = { email: 'a@skola.example', name: 'n', role: 'staff', schools: ['s'] }
const columns = ['id']
const passkey = {
  id: 'i',
  rawId: 'i',
  type: 'public-key',
  response: { clientDataJSON: 'c', attestationObject: 'a' },
  clientExtensionResults: {},
}

/** Fields of a body, each too large, beside a body that is right; likewise of a query; and how long an id may be. */
type Row = {
  body?: object
  larger?: Record<string, unknown>
  query?: Record<string, string | string[]>
  beside?: Record<string, string>
  id?: number
}

/** Within 16 kB of address: each parameter too long, too often or too high. */
const filter = {
  q: long(200),
  id: long(500),
  school: long(500),
  assignee: long(500),
  status: many(100, 'new'),
  from: long(10),
  to: long(10),
}
const pages = { ...filter, sort: long(20), limit: '501', place: long(500), known: long(100) }
const largeFilters = {
  matching: { list, id: many(99, long(300)) },
  'matching.q': { list, q: long(200) },
  'matching.id': { list, id: many(1_000, 'i') },
  'matching.school': { list, school: many(1_000, 's') },
  'matching.assignee': { list, assignee: many(1_000, 'a') },
  'matching.status': { list, status: many(100, 'new') },
}

const person = { emails: ['a@x.test'], phones: ['070 123 45 67'], people: ['p'] }
const protection = { contact: 'c', ...person, reason: 'r' }
const largePerson = { emails: many(100, 'a@x.test'), phones: many(100, '1'), people: many(100, 'p') }

const ROWS: Record<string, Partial<Record<Method, Row>>> = {
  'account/password': {
    POST: { body: { current: 'c', password: 'p' }, larger: { current: long(2_000), password: long(2_000) } },
  },
  'account/proof': { GET: {}, POST: { body: { code: '000000' } } },
  'account/recovery-codes': { POST: {} },
  'account/second-factors': { GET: {} },
  'account/second-factors/[id]': { DELETE: { id: 2_000 } },
  'account/second-factors/passkeys': {
    POST: {
      body: { name: 'n', response: passkey },
      larger: { name: long(60), 'response.id': { ...passkey, id: long(4_000) } },
    },
  },
  'account/second-factors/passkeys/options': { POST: {} },
  'account/second-factors/totp': { POST: { body: { name: 'n' }, larger: { name: long(60) } } },
  'account/second-factors/totp/confirm': {
    POST: { body: { id: 'i', code: '000000' }, larger: { id: long(100), code: long(20) } },
  },
  'passkey-options': { POST: {} },
  'sign-in-rules': {
    GET: {},
    PUT: {
      body: { secondFactorFor: [], proofAboveLeads: 1 },
      larger: { secondFactorFor: many(3, 'staff'), proofAboveLeads: 1_000_001 },
    },
  },
  'users/[id]/second-factors': { GET: { id: 100 }, DELETE: { id: 100 } },
  'account/leave': { GET: {}, PUT: { body: { until: null }, larger: { until: long(10) } } },
  'account/sessions': { GET: {}, DELETE: { query: { keep: long(20) } } },
  'account/sessions/[id]': { DELETE: { id: 100 } },
  activity: { GET: { query: { user: long(200), id: long(500), action: long(60), limit: '201', kind: long(20) } } },
  'admission-cycle': { GET: {}, PUT: { body: wholeCycle, larger: { final: long(10_000) } } },
  attempts: {
    POST: {
      body: { ...lead, channel: 'phone', outcome: 'talked' },
      larger: { id: long(500), channel: long(20), outcome: long(20), status: long(20), snoozeUntil: long(10) },
    },
  },
  'asked-questions': { GET: { query: { ...pages, mode: many(100, 'email') } } },
  'contacts/[id]': { GET: { id: 100 } },
  'contacts/[id]/erasure': {
    POST: { id: 100, body: { leads: [lead], confirm: 'erase' }, larger: { leads: many(500, lead) } },
  },
  'contacts/[id]/extract': {
    POST: { id: 100, body: { leads: [lead], language: 'sv', format: 'json' }, larger: { leads: many(500, lead) } },
  },
  'contacts/[id]/rights': { GET: { id: 100 } },
  day: { GET: { query: { school: long(500) } } },
  'declarations-of-interest': { GET: { query: { ...pages, year: many(100, '2027') } } },
  events: { GET: {} },
  exports: {
    GET: { query: { before: `2026-01-01T00:00:00.${'0'.repeat(40)}Z`, limit: '201' } },
    POST: {
      body: { list, matching: { list }, columns, format: 'csv', purpose: 'p' },
      larger: {
        ...largeFilters,
        leads: many(10_000, lead),
        'leads.0.id': [{ ...lead, id: long(500) }],
        columns: many(50, 'id'),
        purpose: long(300),
      },
    },
  },
  'exports/preview': {
    POST: { body: { list, matching: { list } }, larger: { ...largeFilters, leads: many(10_000, lead) } },
  },
  'feed-report': { GET: {} },
  'high-schools': { GET: {} },
  'high-schools/[id]': { GET: { id: 500 } },
  interest: { GET: { query: { cohort: '10000', school: long(500), from: long(10), to: long(10) } } },
  invitations: {
    POST: { body: { token: 't', password: 'long enough' }, larger: { token: long(200), password: long(2_000) } },
  },
  'list-counts': { POST: { body: { matching: { list } }, larger: largeFilters } },
  'log-follow-up/leads': { GET: { query: { contact: long(100), kind: long(20), id: long(500), format: long(10) } } },
  'log-follow-up/people': {
    GET: {
      beside: { user: 'u', from: '2027-01-01', to: '2027-01-02' },
      query: { user: long(200), from: long(10), to: long(10), format: long(10) },
    },
  },
  'lead-history': { GET: { beside: { kind: lead.kind, id: lead.id }, query: { kind: long(20), id: long(500) } } },
  'notes/[id]': { DELETE: { id: 100 } },
  notes: {
    GET: { beside: { kind: lead.kind, id: lead.id }, query: { kind: long(20), id: long(500) } },
    POST: { body: { ...lead, text: 't' }, larger: { text: long(5_000), id: long(500), kind: long(20) } },
  },
  people: { GET: { query: { school: long(500) } } },
  'preferences/[name]': {
    GET: { id: 100 },
    PUT: {
      id: 100,
      body: { value: { columns, format: 'csv', delimiter: ';', encoding: 'utf-8' } },
      larger: { 'value.columns': { columns: many(50, 'id'), format: 'csv', delimiter: ';', encoding: 'utf-8' } },
    },
  },
  presence: {
    POST: {
      body: { tab: crypto.randomUUID(), lead: null },
      larger: { tab: long(36), lead: { ...lead, id: long(500) } },
    },
  },
  protections: {
    GET: {},
    POST: { body: protection, larger: { contact: long(100), ...largePerson, reason: long(500) } },
  },
  'protections/[id]': {
    PATCH: { id: 100, body: { people: ['p'] }, larger: { people: many(100, 'p') } },
    DELETE: { id: 100 },
  },
  'purge-holds': { GET: {}, POST: { body: { list }, larger: { list: long(100) } } },
  'reading/limits': {
    GET: {},
    PUT: { body: { listed: 1_500, opened: 200 }, larger: { listed: 1_000_001, opened: 100_001 } },
  },
  'reading/question': { GET: {}, POST: { body: { reason: 'Öppet hus' }, larger: { reason: long(500) } } },
  'reading/unusual': { GET: {} },
  settings: {
    GET: {},
    PATCH: {
      body: { calendar: [] },
      larger: { calendar: many(100, { day: '2027-01-01', name: 'n' }), 'standing.s': { s: many(50, 'u') } },
    },
  },
  status: { GET: {} },
  'templates/[id]': {
    PUT: { id: 100, body: template, larger: { name: long(80), subject: long(200), body: long(4_000) } },
    DELETE: { id: 100 },
  },
  replies: {
    GET: {},
    POST: {
      body: { ...lead, subject: 's', body: 'b' },
      larger: { id: long(500), subject: long(200), body: long(20_000), key: long(100), snoozeUntil: long(10) },
    },
    PATCH: { body: { ...lead, attempt: '1', wasSent: true }, larger: { id: long(500), attempt: '9'.repeat(16) } },
  },
  'status/mail': { POST: {} },
  templates: { GET: {}, POST: { body: template, larger: { name: long(80), subject: long(200), body: long(4_000) } } },
  triage: {
    PATCH: {
      body: { leads: [lead], status: 'new' },
      larger: {
        leads: many(5_000, lead),
        assignee: long(200),
        snoozeUntil: long(10),
        'leads.0.updatedAt': [{ ...lead, updatedAt: `2026-01-01T00:00:00.${'0'.repeat(40)}Z` }],
      },
    },
  },
  'triage/undo': { GET: {}, POST: { body: { undo: 'u' }, larger: { undo: long(500) } } },
  'users/[id]/invitation': { POST: { id: 100 } },
  'users/[id]/identities': { DELETE: { id: 100 } },
  'users/[id]/sessions': { GET: { id: 100 }, DELETE: { id: 100 } },
  'users/[id]': { PATCH: { id: 100, body: { disabled: true }, larger: { schools: many(1_000, 's') } } },
  users: {
    GET: {},
    POST: { body: user, larger: { email: `${long(200)}@skola.example`, name: long(100), schools: many(1_000, 's') } },
  },
  'views/[id]': { DELETE: { id: 100 } },
  views: {
    GET: {},
    POST: {
      body: { list, name: 'n', query: {}, shared: true },
      larger: { name: long(80), query: { id: many(99, long(300)) }, 'query.q': { q: long(200) } },
    },
  },
}

/** Not of this shape: next-auth's own, one that answers everything else, and those that read nothing of a request. */
const OTHERS = new Set(['auth/[...nextauth]', '[[...path]]', 'health', 'health/live', 'health/ready', 'metrics'])

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('route.ts'))
  .map((file) => file.slice(0, -'/route.ts'.length))
  .filter((file) => !OTHERS.has(file))

const auth = { url: 'https://intag.test', secret: 's'.repeat(32) }
const routes = new Map<string, Route>()
let headers: Record<string, string> = {}
beforeAll(async () => {
  for (const file of files) routes.set(file, (await import(join(import.meta.dirname, file, 'route'))) as Route)
  const viewer = makeViewer({ id: 'u1', name: 'Anna', email: 'a@x.test', role: 'admin', schools: 'all' })
  // What services() of this process is. Nothing that a verb needs is there: what is too large must not come as far.
  Reflect.set(globalThis, Symbol.for('intag.services'), {
    feed: {},
    lifecycle: { isComing: () => false },
    env: { mode: 'connected', auth },
    logger: createLogger({ logLevel: 'info' }, { write: () => {} }),
    viewers: { find: async () => viewer, stored: async () => ({ method: 'password', provedAt: new Date() }) },
    // What is too much at once is looked at elsewhere; here the machine may be slow.
    load: { ...createLoad(), begin: () => () => {} },
    now: Date.now,
  })
  const set = await renewedSessionCookie({ userId: 'u1', id: 's1' }, { auth })
  headers = { cookie: set.slice(0, set.indexOf(';')), origin: auth.url, 'content-type': 'application/json' }
})
afterAll(() => Reflect.deleteProperty(globalThis, Symbol.for('intag.services')))

type Asked = { id?: string; query?: URLSearchParams; body?: unknown }

/** The status, and what the answer says is wrong. */
async function ask(file: string, method: Method, { id = 'x', query, body }: Asked) {
  const url = `https://intag.test/api/${file}?${query ?? ''}`
  const request = new Request(url, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
  const [name, of] = id === 'x' ? ['export.asked-questions', list] : [id, id]
  const params = Promise.resolve({ id, name, list: of })
  const answer = await routes.get(file)?.[method]?.(request, { params })
  return { status: answer?.status, error: String((await answer?.json())?.error) }
}

const rows = Object.entries(ROWS).flatMap(([file, methods]) =>
  Object.entries(methods).map(([method, row]) => [method as Method, file, row] as const),
)

test('every route and method has a row', () => {
  const refusals = new Set<Handler | undefined>(Object.values(otherMethods))
  const own = [...routes].flatMap(([file, route]) =>
    METHODS.flatMap((method) => (refusals.has(route[method]) ? [] : [`${method} ${file}`])),
  )
  expect(rows.map(([method, file]) => `${method} ${file}`).toSorted()).toEqual(own.toSorted())
})

describe('every route and method', () => {
  const nameOf = ([method, file, , what = '']: readonly [Method, string, Row, string?, unknown?]) =>
    `${method} /api/${file} ${what}`
  const parameters = rows.flatMap(([method, file, row]) =>
    Object.entries(row.query ?? {}).map(([name, values]) => [method, file, row, name, values] as const),
  )
  const fields = rows.flatMap(([method, file, row]) =>
    Object.entries(row.larger ?? {}).map(([path, value]) => [method, file, row, path, value] as const),
  )

  test('refuses each parameter that is too large', () =>
    expectEveryAsync(
      parameters,
      nameOf,
      async ([method, file, { beside = {} }, name, values]: (typeof parameters)[number]) => {
        const asked = new URLSearchParams([
          ...Object.entries(beside).filter(([other]) => other !== name),
          ...[values].flat().map((value) => [name, value]),
        ])
        const answer = await ask(file, method, { query: asked })
        expect([answer.status, answer.error]).toEqual([400, expect.stringContaining(name)])
      },
    ))

  test('refuses each field that is too large', () =>
    expectEveryAsync(fields, nameOf, async ([method, file, { body }, path, value]: (typeof fields)[number]) => {
      const [field = '', ...rest] = path.split('.')
      const named = rest.at(-1) ?? field
      const { matching: _, ...others } = body as Record<string, unknown>
      const answer = await ask(file, method, { body: { ...(field === 'leads' ? others : body), [field]: value } })
      expect([answer.status, answer.error]).toEqual([400, expect.stringContaining(named)])
    }))

  test('refuses an id that nothing has, parameters that it does not know, and more than a megabyte', () =>
    expectEveryAsync(rows, nameOf, async ([method, file, { body, id }]) => {
      const right = { ...(body !== undefined && { body }) }
      expect(id === undefined ? 404 : (await ask(file, method, { ...right, id: long(id) })).status, 'id').toBe(404)
      const unknown = new URLSearchParams(many(200, ['unknown', 'x']))
      expect(await ask(file, method, { ...right, query: unknown }), 'unknown').toMatchObject({ status: 400 })
      const large = { body: { ...body, more: long(1_000_000) } }
      expect(body === undefined ? 413 : (await ask(file, method, large)).status, 'a megabyte').toBe(413)
    }))
})
