import { setTimeout as wait } from 'node:timers/promises'
import { z } from 'zod'
import type { LeadList, LeadStatus } from '@/lib/contract/lead'
import { LEAD_LISTS, LISTS } from '@/lib/contract/lists'
import { ask, type Ended, followStream } from './ask'
import type { Decision, Look } from './verdicts'

const rowsSchema = z.array(z.object({ id: z.string(), triage: z.object({ status: z.string() }) }))
const triageSchema = z.object({ changed: z.array(z.unknown()) })

const LIST_MS = 450
const DECISION_MS = 1_300
const PAGE_MS = 5_300
/** A stream says something every 18 to 22 s (`server/http/stream-events.ts`). */
const SILENCE_MS = 35_000
const STREAM_AGAIN_MS = 500
const STATUSES: LeadStatus[] = ['in-progress', 'handled', 'dismissed', 'new']

/** Keeps what each request came to, and whether a write was answered. */
export function startViewers(origin: string, cookies: readonly string[], leads: readonly string[]) {
  const looks: Look[] = []
  const decisions: Decision[] = []
  const stop = new AbortController()
  const all = cookies.flatMap((cookie, index) => {
    const own = leads.filter((_, place) => place % cookies.length === index)
    const person = { origin, cookie, looks, own: [...own], decisions }
    const keep = (everyMs: number, work: Work) =>
      repeat(everyMs, stop.signal, (turn) => work(turn).catch((error) => broken(looks, error)))
    return [
      keep(LIST_MS, (turn) => lookAtList(person, LEAD_LISTS[turn % 2] ?? 'asked-questions')),
      keep(PAGE_MS, () => lookAtPage(person)),
      keep(DECISION_MS, (turn) => decide(person, turn)),
      keep(STREAM_AGAIN_MS, () => listen(person, stop.signal)),
    ]
  })
  return {
    looks,
    decisions,
    async stop() {
      stop.abort()
      await Promise.all(all)
    },
  }
}

type Person = { origin: string; cookie: string; looks: Look[]; own: string[]; decisions: Decision[] }

function broken(looks: Look[], error: unknown): void {
  const now = Date.now()
  looks.push({ what: 'list', at: now, until: now, outcome: 'wrong', detail: String(error) })
}

type Work = (turn: number) => Promise<unknown>

async function repeat(everyMs: number, signal: AbortSignal, work: Work): Promise<void> {
  for (let turn = 0; !signal.aborted; turn += 1) {
    await wait(everyMs * (0.5 + Math.random()), undefined, { signal }).catch(() => {})
    if (!signal.aborted) await work(turn)
  }
}

function note(person: Person, what: Look['what'], at: number, ended: Ended, isBlank = false): void {
  const { outcome, detail } = ended
  person.looks.push({ what, at, until: Date.now(), outcome, detail: outcome === 'ok' ? '' : detail, isBlank })
}

async function lookAtList(person: Person, list: LeadList): Promise<void> {
  const at = Date.now()
  const answer = await ask(person.origin, `${LISTS[list].path}?limit=20`, person)
  if (answer.outcome !== 'ok') return note(person, 'list', at, answer)
  const rows = JSON.parse(answer.body)[LISTS[list].field]
  note(person, 'list', at, answer, !Array.isArray(rows) || rows.length === 0)
}

async function lookAtPage(person: Person): Promise<void> {
  const at = Date.now()
  const first = await ask(person.origin, '/declarations', person)
  // Without the database a page redirects to `/unreachable`, which is a 503; who is signed out is redirected from there.
  const answer = first.status === 307 ? await ask(person.origin, '/unreachable', person) : first
  const isBlank = answer.outcome === 'ok' && !answer.body.includes('role="option"')
  note(person, 'page', at, answer, isBlank)
}

async function decide(person: Person, turn: number): Promise<void> {
  const lead = person.own[turn % Math.max(1, person.own.length)]
  const status = STATUSES[Math.floor(turn / person.own.length) % STATUSES.length]
  if (lead === undefined || status === undefined) return
  const at = Date.now()
  const json = { leads: [{ kind: LISTS['declarations-of-interest'].kind, id: lead }], status }
  const answer = await ask(person.origin, '/api/triage', { ...person, method: 'PATCH', json })
  const isAnswered = answer.outcome === 'ok' && triageSchema.safeParse(JSON.parse(answer.body)).success
  person.decisions.push({ lead, status, isAnswered })
  // It may or may not have happened: nobody decides about this lead again.
  if (!isAnswered) person.own = person.own.filter((other) => other !== lead)
  note(person, 'decision', at, answer)
}

async function listen(person: Person, signal: AbortSignal): Promise<void> {
  const at = Date.now()
  const onEvent = (name: string) => {
    if (name !== 'changed') return
    void lookAtList(person, 'declarations-of-interest').catch((error: unknown) => broken(person.looks, error))
  }
  const answer = await followStream(person.origin, person.cookie, { onEvent, signal, silenceMs: SILENCE_MS })
  note(person, 'stream', at, answer)
}

/** Of all declarations, as an instance or the proxy shows them. */
export async function statusesAt(origin: string, cookie: string): Promise<Map<string, string>> {
  const { path, field } = LISTS['declarations-of-interest']
  const statuses = new Map<string, string>()
  for (let offset = 0; ; offset += 500) {
    const answer = await ask(origin, `${path}?limit=500&offset=${offset}`, { cookie })
    if (answer.outcome !== 'ok') throw new Error(answer.detail)
    const rows = rowsSchema.parse(JSON.parse(answer.body)[field])
    for (const { id, triage } of rows) statuses.set(id, triage.status)
    if (rows.length < 500) return statuses
  }
}

export async function knownRequestsAt(origin: string, cookie: string): Promise<number> {
  const answer = await ask(origin, '/api/status', { cookie })
  if (answer.outcome !== 'ok') throw new Error(answer.detail)
  return z.object({ budget: z.object({ spentThisHour: z.number() }) }).parse(JSON.parse(answer.body)).budget
    .spentThisHour
}

export const BOOTSTRAP = { email: 'admin@skola.example', password: 'a-long-first-password' }

const newUserSchema = z.object({ inviteUrl: z.string() })
const csrfSchema = z.object({ csrfToken: z.string() })

/** Answers the cookies. */
export async function signIn(origin: string, account: typeof BOOTSTRAP): Promise<string> {
  const csrf = await ask(origin, '/api/auth/csrf')
  if (csrf.outcome !== 'ok') throw new Error(csrf.detail)
  const { csrfToken } = csrfSchema.parse(JSON.parse(csrf.body))
  const before = csrf.cookies.join('; ')
  const form = { csrfToken, ...account, json: 'true' }
  const answer = await ask(origin, '/api/auth/callback/credentials', { method: 'POST', cookie: before, form })
  if (answer.status !== 200) throw new Error(`nobody can sign in: ${answer.detail}`)
  return [...csrf.cookies, ...answer.cookies].join('; ')
}

/** Answers their cookies. */
export async function invitePeople(origin: string, count: number): Promise<string[]> {
  const cookie = await signIn(origin, BOOTSTRAP)
  const people: string[] = []
  for (let index = 0; index < count; index += 1) {
    const email = `staff${index}@skola.example`
    const json = { email, name: `Eva ${index}`, role: 'staff', schools: 'all' }
    const invited = await ask(origin, '/api/users', { method: 'POST', cookie, json })
    if (invited.status >= 300 || invited.status === 0) throw new Error(`nobody can be invited: ${invited.detail}`)
    const { inviteUrl } = newUserSchema.parse(JSON.parse(invited.body))
    const token = inviteUrl.slice(inviteUrl.indexOf('#') + 1)
    const password = 'a-long-enough-password'
    const accepted = await ask(origin, '/api/invitations', { method: 'POST', json: { token, password } })
    if (accepted.status !== 200) throw new Error(`nobody can accept: ${accepted.detail}`)
    people.push(await signIn(origin, { email, password }))
  }
  return people
}
