import { AsyncLocalStorage } from 'node:async_hooks'
import type { Stream } from '@/lib/api/shared-stream'
import type { LeadList } from '@/lib/contract/lead'
import { followStream } from '@/scripts/testing/live-stream'
import { openLivePage } from './live-page'

// Simulates the open pages, in another process than the service.

export type PersonPlan = { cookie: string; schools: readonly string[] | 'all' }
type NewLead = { id: string; list: LeadList; school: string }
type Opening = { origin: string; people: PersonPlan[]; pages: number; perSecond: number }

export type Order =
  | ({ kind: 'open' } & Opening)
  | { kind: 'lead'; lead: NewLead }
  | { kind: 'measure'; isOn: boolean }
  | { kind: 'report' }

export type Message = { kind: 'open' } | ({ kind: 'report' } & HerdReport)
export type HerdReport = typeof report

const PROBE_EVERY_MS = 250
const PROBE = '/api/high-schools'
const GIVE_UP_MS = 30_000

type Page = { list: LeadList; person: PersonPlan; missing: Set<string> }

let origin = ''
let isMeasuring = false
const pages: Page[] = []
const report = {
  seen: [] as { id: string; list: LeadList; wanted: number; seenAt: number[] }[],
  requests: 0,
  failed: 0,
  probes: [] as number[],
}

process.on('message', (order: Order) => {
  switch (order.kind) {
    case 'open':
      return void open(order)
    case 'lead':
      return expectLead(order.lead)
    case 'measure':
      isMeasuring = order.isOn
      return
    case 'report':
      return post({ kind: 'report', ...report })
    default:
      return order satisfies never
  }
})
process.on('disconnect', () => process.exit(0))

function post(message: Message) {
  process.send?.(message)
}

async function open({ people, pages: count, perSecond, ...order }: Opening) {
  origin = order.origin
  const opening: Promise<void>[] = []
  for (let index = 0; index < count; index += 1) {
    const person = people[index % people.length]
    if (person) opening.push(openPage(person, index % 4 === 3 ? 'asked-questions' : 'declarations-of-interest'))
    await new Promise((resolve) => setTimeout(resolve, 1000 / perSecond))
  }
  await Promise.all(opening)
  const [first] = pages
  if (first) setInterval(() => void probe(first.person), PROBE_EVERY_MS)
  post({ kind: 'open' })
}

/** The person whose page sends a request, because the app's code does not pass it on. */
const current = new AsyncLocalStorage<PersonPlan>()

function openPage(person: PersonPlan, list: LeadList) {
  const page: Page = { list, person, missing: new Set() }
  pages.push(page)
  const onRows = (items: readonly { id: string }[]) => markSeen(page, items)
  return current.run(person, () => openLivePage({ list, connect: () => connect(person), onRows }))
}

function expectLead({ id, list, school }: NewLead) {
  const those = pages.filter(({ list: shown, person: { schools } }) => {
    return shown === list && (schools === 'all' || schools.includes(school))
  })
  for (const page of those) page.missing.add(id)
  report.seen.push({ id, list, wanted: those.length, seenAt: [] })
}

function markSeen(page: Page, items: readonly { id: string }[]) {
  for (const { id } of items) {
    if (page.missing.delete(id)) report.seen.find((lead) => lead.id === id)?.seenAt.push(Date.now())
  }
}

const fetchFromNode = globalThis.fetch
globalThis.fetch = async (path, init = {}) => {
  const person = current.getStore()
  if (person === undefined) return fetchFromNode(path, init)
  const isCounted = isMeasuring
  const response = await send(person, String(path), init).catch(() => null)
  if (isCounted) {
    report.requests += 1
    if (response?.ok !== true) report.failed += 1
  }
  if (response === null) throw new TypeError('no answer')
  return response
}

function send({ cookie }: PersonPlan, path: string, { headers, ...init }: RequestInit): Promise<Response> {
  const signal = AbortSignal.timeout(GIVE_UP_MS)
  return fetchFromNode(origin + path, { ...init, headers: { ...(headers as object), cookie, origin }, signal })
}

/** Measures how long another request waits. A refused one counts as given up. */
async function probe(person: PersonPlan) {
  // Whether it counts is decided when it is sent, because otherwise the slowest would be left out.
  const isCounted = isMeasuring
  const startedAt = performance.now()
  const isAnswered = await send(person, PROBE, {})
    .then(async (response) => (await response.arrayBuffer()) && response.ok)
    .catch(() => false)
  if (isCounted) report.probes.push(isAnswered ? performance.now() - startedAt : GIVE_UP_MS)
}

function connect(person: PersonPlan): Stream {
  const listeners = new Map<string, (event: { data?: unknown }) => void>()
  const onEvent = (name: string, data?: string) => current.run(person, () => listeners.get(name)?.({ data }))
  const closing = new AbortController()
  const { signal } = closing
  void current.exit(async () => {
    await followStream(origin, { cookie: person.cookie, signal, onEvent }).catch(() => {})
    if (signal.aborted) return
    if (isMeasuring) report.failed += 1
    onEvent('error')
  })
  return { addEventListener: (name, listener) => void listeners.set(name, listener), close: () => closing.abort() }
}
