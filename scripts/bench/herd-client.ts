import { AsyncLocalStorage } from 'node:async_hooks'
import { Agent, type IncomingMessage, request, type RequestOptions } from 'node:http'
import type { Socket } from 'node:net'
import { gunzipSync } from 'node:zlib'
import type { Stream } from '@/lib/api/live'
import type { LeadList } from '@/lib/contract/lead'
import { createLivePage } from './live-page'
import { createProbes, type ProbeFigures } from './probes'

/** The people at their screens, in a process of their own: plain sockets, so that it costs little. */

/** A tab: which list it shows, whose it is. */
export type PagePlan = { list: LeadList; person: number }
export type PersonPlan = { cookie: string; schools: readonly string[] | 'all' }
export type NewLead = { id: string; list: LeadList; school: string }

/** How many pages open a second; how many decisions the first of them brings a minute, once all are open. */
export type HerdPlan = { people: PersonPlan[]; pages: PagePlan[]; perSecond: number; decisions: number }

/** To the client. */
export type Order =
  | ({ do: 'open'; origin: string } & HerdPlan)
  | { do: 'lead'; lead: NewLead }
  | { do: 'begin' }
  | { do: 'end' }
  | { do: 'report' }

/** From the client; times are milliseconds since the epoch, durations milliseconds. */
export type Told = { told: 'open' } | ({ told: 'report' } & HerdReport)
export type HerdReport = {
  /** For each new lead: how many pages should show it, and when each did. */
  seen: { id: string; list: LeadList; wanted: number; at: number[] }[]
  requests: number
  decisions: number
  refused: number
  failed: number
  streamsLost: number
  bytes: number
  cores: number
  probes: ProbeFigures[]
}

const GIVE_UP_MS = 30_000
const PROBE_EVERY_MS = 250
const PROBES = ['/api/high-schools', '/declarations']

type Person = PersonPlan & { agent: Agent }
type Page = { list: LeadList; person: Person; missing: Set<string>; live: ReturnType<typeof createLivePage> }

let origin = ''
let isCounting = false
let since = { cpu: process.cpuUsage(), at: performance.now() }
const pages: Page[] = []
const report: Omit<HerdReport, 'probes'> = {
  seen: [],
  requests: 0,
  decisions: 0,
  refused: 0,
  failed: 0,
  streamsLost: 0,
  bytes: 0,
  cores: 0,
}
let prober: Person | null = null
const probes = createProbes(PROBES, {
  ask: async (path) => (prober === null ? 0 : (await answerTo(prober, { method: 'GET', path })).status),
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
      since = { cpu: process.cpuUsage(), at: performance.now() }
      return
    case 'end':
      isCounting = false
      report.cores = coresSince()
      return
    case 'report':
      return tell({ told: 'report', ...report, probes: probes.figures() })
    default:
      return order satisfies never
  }
})
// Without the bench there is nothing to report to.
process.on('disconnect', () => process.exit(0))

function tell(message: Told): void {
  process.send?.(message)
}

function coresSince(): number {
  const { user, system } = process.cpuUsage(since.cpu)
  return (user + system) / 1000 / (performance.now() - since.at)
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
  tell({ told: 'open' })
}

/** Whose page it is that asks: the app's own code only says what for. */
const current = new AsyncLocalStorage<Person>()

function openPage(person: Person, list: LeadList): Promise<void> {
  const live = createLivePage({
    list,
    connect: () => connect(person),
    onRows: (items) => look(page, items),
  })
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

/** What a page asks, and what that costs. */
globalThis.fetch = async (input, { method = 'GET', body } = {}) => {
  const person = current.getStore()
  if (person === undefined) throw new Error('nobody asks')
  const isCounted = isCounting
  const asked = { method, path: String(input), ...(typeof body === 'string' && { body }) }
  const { socket, status, retryAfter, text } = await answerTo(person, asked)
  if (isCounted) count(asked, status)
  if (socket !== null) countBytes(socket)
  if (status === 0) throw new TypeError('no answer')
  return new Response(text, { status, headers: retryAfter === null ? {} : { 'retry-after': retryAfter } })
}

type Asked = { method: string; path: string; body?: string }
/** A status of 0 is none. */
type Answer = { status: number; retryAfter: string | null; text: string; socket: Socket | null }

function answerTo({ cookie, agent }: Person, { method, path, body }: Asked): Promise<Answer> {
  const headers = {
    cookie,
    accept: 'application/json',
    'accept-encoding': 'gzip',
    ...(body !== undefined && { 'content-type': 'application/json', origin }),
  }
  return sent({ path, method, agent, headers }, body ?? null)
    .then(read)
    .catch(() => NOTHING)
}

function sent({ path, ...options }: RequestOptions, body: string | null): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asking = request(`${origin}${path}`, options, resolve)
    asking.setTimeout(GIVE_UP_MS, () => asking.destroy())
    asking.on('error', reject)
    asking.end(body)
  })
}

const NOTHING: Answer = { status: 0, retryAfter: null, text: '', socket: null }

async function read(answer: IncomingMessage): Promise<Answer> {
  // Once it is read, the answer knows its socket no longer.
  const { statusCode = 0, headers, socket } = answer
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part)
  const whole = Buffer.concat(parts)
  const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(whole) : whole).toString()
  return { status: statusCode, retryAfter: headers['retry-after'] ?? null, text, socket }
}

function connect(person: Person): Stream {
  const headers = { cookie: person.cookie, accept: 'text/event-stream', 'accept-encoding': 'gzip' }
  const listeners = new Map<string, (event: { data?: unknown }) => void>()
  const say = (name: string, data?: string) => current.run(person, () => listeners.get(name)?.({ data }))
  let isOver = false
  const lose = () => {
    if (isOver) return
    isOver = true
    if (isCounting) report.streamsLost += 1
    say('error')
  }
  const asking = request(`${origin}/api/events`, { agent: false, headers }, (answer) => {
    if (answer.statusCode !== 200) {
      answer.resume()
      return lose()
    }
    let rest = ''
    answer.setEncoding('utf8')
    answer.on('data', (chunk: string) => {
      countBytes(answer.socket)
      const events = (rest + chunk).split('\n\n')
      rest = events.pop() ?? ''
      for (const event of events) readEvent(event, say)
    })
    answer.on('close', lose)
    answer.on('error', lose)
  })
  asking.on('error', lose)
  asking.end()
  return {
    addEventListener: (name, listener) => void listeners.set(name, listener),
    close: () => {
      isOver = true
      asking.destroy()
    },
  }
}

function readEvent(text: string, say: (name: string, data: string) => void): void {
  const name = /^event: (.*)$/m.exec(text)?.[1]
  const data = /^data: (.*)$/m.exec(text)?.[1]
  if (name !== undefined && data !== undefined) say(name, data)
}

function count({ method, path }: Asked, status: number): void {
  report.requests += 1
  if (status === 503) report.refused += 1
  else if (status !== 200) report.failed += 1
  else if (method === 'PATCH' && path === '/api/triage') report.decisions += 1
}

const readBefore = new WeakMap<Socket, number>()

/** Everything that came over the socket since the last look, headers included. */
function countBytes(socket: Socket): void {
  if (isCounting) report.bytes += socket.bytesRead - (readBefore.get(socket) ?? 0)
  readBefore.set(socket, socket.bytesRead)
}
