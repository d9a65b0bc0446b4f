import { AsyncLocalStorage } from 'node:async_hooks'
import { Agent } from 'node:http'
import { gunzipSync } from 'node:zlib'
import type { Stream } from '@/lib/api/shared-stream'
import type { LeadList } from '@/lib/contract/lead'
import { followStream } from '@/scripts/testing/fleet/ask'
import { type Answer, ask } from './ask'
import { createLivePage } from './live-page'
import { createProbes, type ProbeFigures } from './probes'

/** The open pages, in another process, over plain sockets: cheap. */

export type PagePlan = { list: LeadList; person: number }
export type PersonPlan = { cookie: string; schools: readonly string[] | 'all' }
export type NewLead = { id: string; list: LeadList; school: string }

export type HerdPlan = { people: PersonPlan[]; pages: PagePlan[]; perSecond: number; decisions: number }

export type Order =
  | ({ do: 'open'; origin: string } & HerdPlan)
  | { do: 'lead'; lead: NewLead }
  | { do: 'begin' }
  | { do: 'end' }
  | { do: 'report' }

export type Message = { type: 'open' } | ({ type: 'report' } & HerdReport)
export type HerdReport = {
  seen: { id: string; list: LeadList; wanted: number; at: number[] }[]
  requests: number
  decisions: number
  refused: number
  failed: number
  streamsLost: number
  probes: ProbeFigures[]
}

const GIVE_UP_MS = 30_000
const PROBE_EVERY_MS = 250
const PROBES = ['/api/high-schools', '/declarations']

type Person = PersonPlan & { agent: Agent }
type Page = { list: LeadList; person: Person; missing: Set<string>; live: ReturnType<typeof createLivePage> }

let origin = ''
let isCounting = false
const pages: Page[] = []
const NONE = { requests: 0, decisions: 0, refused: 0, failed: 0, streamsLost: 0 }
const report: Omit<HerdReport, 'probes'> = { seen: [], ...NONE }
let prober: Person | null = null
const probes = createProbes(PROBES, {
  ask: async (path) => (prober === null ? 0 : ((await answerTo(prober, { method: 'GET', path }))?.status ?? 0)),
  now: () => performance.now(),
  giveUpMs: GIVE_UP_MS,
})

process.on('message', (order: Order) => {
  switch (order.do) {
    case 'open':
      return void open(order)
    case 'lead':
      return expectLead(order.lead)
    case 'begin':
      isCounting = true
      return
    case 'end':
      isCounting = false
      return
    case 'report':
      return post({ type: 'report', ...report, probes: probes.figures() })
    default:
      return order satisfies never
  }
})
process.on('disconnect', () => process.exit(0))

function post(message: Message): void {
  process.send?.(message)
}

async function open(order: Extract<Order, { do: 'open' }>): Promise<void> {
  origin = order.origin
  const people = order.people.map((plan) => ({ ...plan, agent: new Agent({ keepAlive: true, maxSockets: 5 }) }))
  const opening: Promise<void>[] = []
  for (const { list, person } of order.pages) {
    const who = people[person]
    if (who) opening.push(openPage(who, list))
    await new Promise((resolve) => setTimeout(resolve, 1000 / order.perSecond))
  }
  await Promise.all(opening)
  const [first] = pages
  if (first) {
    prober = { ...first.person, agent: new Agent({ keepAlive: true, maxSockets: 5 }) }
    setInterval(() => probes.send(isCounting), PROBE_EVERY_MS)
    setInterval(() => void current.run(first.person, first.live.decide), 60_000 / order.decisions)
  }
  post({ type: 'open' })
}

/** Whose page sends a request: the app's code does not say. */
const current = new AsyncLocalStorage<Person>()

function openPage(person: Person, list: LeadList): Promise<void> {
  const live = createLivePage({ list, connect: () => connect(person), onRows: (items) => look(page, items) })
  const page: Page = { list, person, missing: new Set(), live }
  pages.push(page)
  return current.run(person, live.open)
}

function expectLead({ id, list, school }: NewLead): void {
  const those = pages.filter((page) => {
    const { schools } = page.person
    return page.list === list && (schools === 'all' || schools.includes(school))
  })
  for (const page of those) page.missing.add(id)
  report.seen.push({ id, list, wanted: those.length, at: [] })
}

function look(page: Page, items: readonly { id: string }[]): void {
  if (page.missing.size === 0) return
  for (const { id } of items) {
    if (page.missing.delete(id)) report.seen.find((lead) => lead.id === id)?.at.push(Date.now())
  }
}

globalThis.fetch = async (input, { method = 'GET', body } = {}) => {
  const person = current.getStore()
  if (person === undefined) throw new Error('nobody asks')
  const isCounted = isCounting
  const asked = { method, path: String(input), ...(typeof body === 'string' && { body }) }
  const answer = await answerTo(person, asked)
  if (isCounted) count(asked, answer?.status ?? 0)
  if (answer === null) throw new TypeError('no answer')
  const { status, headers, bytes } = answer
  const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString()
  const kept = ['content-type', 'retry-after'].flatMap((name) =>
    [headers[name] ?? []].flat().map((value) => [name, value]),
  )
  return new Response(text, { status, headers: Object.fromEntries(kept) })
}

type ClientRequest = { method: string; path: string; body?: string }

/** Null without a complete answer in time. */
function answerTo({ cookie, agent }: Person, { method, path, body }: ClientRequest): Promise<Answer | null> {
  const headers = {
    cookie,
    accept: 'application/json',
    'accept-encoding': 'gzip',
    ...(body !== undefined && { 'content-type': 'application/json', origin }),
  }
  return ask(`${origin}${path}`, { method, agent, headers, timeout: GIVE_UP_MS }, body).catch(() => null)
}

/** A stream says something every 18 to 22 s (`server/http/stream-events.ts`). */
const SILENCE_MS = 35_000

function connect(person: Person): Stream {
  const listeners = new Map<string, (event: { data?: unknown }) => void>()
  const onEvent = (name: string, data?: string) => current.run(person, () => listeners.get(name)?.({ data }))
  const closing = new AbortController()
  const following = { onEvent, signal: closing.signal, silenceMs: SILENCE_MS }
  void (async () => {
    await followStream(origin, person.cookie, following)
    if (closing.signal.aborted) return
    if (isCounting) report.streamsLost += 1
    onEvent('error')
  })()
  return {
    addEventListener: (name, listener) => void listeners.set(name, listener),
    close: () => closing.abort(),
  }
}

function count({ method, path }: ClientRequest, status: number): void {
  report.requests += 1
  if (status === 503) report.refused += 1
  else if (status !== 200) report.failed += 1
  else if (method === 'PATCH' && path === '/api/triage') report.decisions += 1
}
