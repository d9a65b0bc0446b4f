import { Agent, type IncomingMessage, request, type RequestOptions } from 'node:http'
import type { Socket } from 'node:net'
import { gunzipSync } from 'node:zlib'
import type { LeadList } from '@/lib/contract/lead'
import { type Answer, type Asked, createLivePage } from './live-page'

/** The people at their screens, in a process of their own: plain sockets, so that it costs little. */

/** A tab: which list it shows, whose it is. */
export type PagePlan = { list: LeadList; person: number }
export type PersonPlan = { cookie: string; schools: readonly string[] | 'all' }
export type NewLead = { id: string; list: LeadList; school: string }

/** To the client. */
export type Order =
  | { do: 'open'; origin: string; people: PersonPlan[]; pages: PagePlan[]; perSecond: number }
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
  refused: number
  failed: number
  streamsLost: number
  bytes: number
  cores: number
  /** How long each probe waited. */
  probes: { path: string; ms: number[] }[]
}

const GIVE_UP_MS = 30_000
const PROBE_EVERY_MS = 250
const PROBES = ['/api/high-schools', '/declarations']

type Person = PersonPlan & { agent: Agent }
type Page = { list: LeadList; person: Person; missing: Set<string> }

let origin = ''
let isCounting = false
let since = { cpu: process.cpuUsage(), at: performance.now() }
const pages: Page[] = []
const report: HerdReport = {
  seen: [],
  requests: 0,
  refused: 0,
  failed: 0,
  streamsLost: 0,
  bytes: 0,
  cores: 0,
  probes: PROBES.map((path) => ({ path, ms: [] })),
}

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
      return tell({ told: 'report', ...report })
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
    if (who) opening.push(openPage({ list, person: who, missing: new Set() }))
    await new Promise((resolve) => setTimeout(resolve, 1000 / order.perSecond))
  }
  await Promise.all(opening)
  const [first] = people
  if (first) {
    const prober = { ...first, agent: new Agent({ keepAlive: true, maxSockets: 5 }) }
    setInterval(() => void probe(prober), PROBE_EVERY_MS)
  }
  tell({ told: 'open' })
}

function openPage(page: Page): Promise<void> {
  pages.push(page)
  const live = createLivePage({
    list: page.list,
    ask: (asked) => ask(page.person, asked),
    listen: (onEvent, onEnd) => listen(page.person, onEvent, onEnd),
    onRows: (text) => look(page, text),
  })
  return live.open()
}

function expectLead({ id, list, school }: NewLead): void {
  const those = pages.filter((page) => {
    const { schools } = page.person
    return page.list === list && (schools === 'all' || schools.includes(school))
  })
  for (const page of those) page.missing.add(id)
  report.seen.push({ id, list, wanted: those.length, at: [] })
}

function look(page: Page, text: string): void {
  for (const id of page.missing) {
    if (!text.includes(id)) continue
    page.missing.delete(id)
    report.seen.find((lead) => lead.id === id)?.at.push(Date.now())
  }
}

/** What anybody else's work waits, whom no event concerns. */
async function probe(person: Person): Promise<void> {
  for (const { path, ms } of report.probes) {
    const started = performance.now()
    void answerTo(person, { path }).then(() => isCounting && ms.push(performance.now() - started))
  }
}

/** What a page asks, and what that costs. */
async function ask(person: Person, asked: Asked): Promise<Answer> {
  const { socket, ...answer } = await answerTo(person, asked)
  count(answer.status)
  if (socket !== null) countBytes(socket)
  return answer
}

type Sent = Answer & { socket: Socket | null }

function answerTo({ cookie, agent }: Person, { path, body }: Asked): Promise<Sent> {
  const text = body === undefined ? null : JSON.stringify(body)
  const headers = {
    cookie,
    accept: 'application/json',
    'accept-encoding': 'gzip',
    ...(text !== null && { 'content-type': 'application/json', origin }),
  }
  const method = text === null ? 'GET' : 'POST'
  return sent({ path, method, agent, headers }, text)
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

const NOTHING: Sent = { status: 0, retryAfterMs: null, text: '', socket: null }

async function read(answer: IncomingMessage): Promise<Sent> {
  // Once it is read, the answer knows its socket no longer.
  const { statusCode = 0, headers, socket } = answer
  const parts: Buffer[] = []
  for await (const part of answer) parts.push(part)
  const whole = Buffer.concat(parts)
  const text = (headers['content-encoding'] === 'gzip' ? gunzipSync(whole) : whole).toString()
  const seconds = Number(headers['retry-after'])
  return { status: statusCode, retryAfterMs: seconds > 0 ? seconds * 1000 : null, text, socket }
}

function listen({ cookie }: Person, onEvent: (name: string, data: string) => void, onEnd: () => void): void {
  const headers = { cookie, accept: 'text/event-stream', 'accept-encoding': 'gzip' }
  let isOver = false
  const end = () => {
    if (isOver) return
    isOver = true
    if (isCounting) report.streamsLost += 1
    onEnd()
  }
  const asking = request(`${origin}/api/events`, { agent: false, headers }, (answer) => {
    if (answer.statusCode !== 200) {
      answer.resume()
      return end()
    }
    let rest = ''
    answer.setEncoding('utf8')
    answer.on('data', (chunk: string) => {
      countBytes(answer.socket)
      const events = (rest + chunk).split('\n\n')
      rest = events.pop() ?? ''
      for (const event of events) readEvent(event, onEvent)
    })
    answer.on('close', end)
    answer.on('error', end)
  })
  asking.on('error', end)
  asking.end()
}

function readEvent(text: string, onEvent: (name: string, data: string) => void): void {
  const name = /^event: (.*)$/m.exec(text)?.[1]
  const data = /^data: (.*)$/m.exec(text)?.[1]
  if (name !== undefined && data !== undefined) onEvent(name, data)
}

function count(status: number): void {
  if (!isCounting) return
  report.requests += 1
  if (status === 503) report.refused += 1
  else if (status !== 200) report.failed += 1
}

const readBefore = new WeakMap<Socket, number>()

/** Everything that came over the socket since the last look, headers included. */
function countBytes(socket: Socket): void {
  if (isCounting) report.bytes += socket.bytesRead - (readBefore.get(socket) ?? 0)
  readBefore.set(socket, socket.bytesRead)
}
