import 'server-only'
import { and, eq, inArray } from 'drizzle-orm'
import { z } from 'zod'
import type { LeadKind } from '@/lib/contract/lead'
import { type FeedList, LISTS } from '@/lib/contract/lists'
import { awayUntil, type WorkSettings, workSettingsSchema } from '@/lib/contract/settings'
import type { LeadTable } from '@/lib/leads/lead-table'
import { earlierRows } from '@/lib/leads/work-rules'
import { stockholmDay } from '@/lib/time/stockholm'
import type { Connect, Db } from '@/server/db/database'
import { activity, settings as table } from '@/server/db/schema'
import type { Announcer } from '@/server/events/announcer'
import type { Logger } from '@/server/logger'
import { createQueue } from '@/server/concurrency-limit'
import { leadKey } from '@/lib/leads/lead-key'
import { canSee, tableFor } from '@/server/rights/protected-rows'
import type { Protections } from '@/server/rights/protection-list'
import { writeSetting } from '@/server/settings/settings'
import type { Work } from '@/server/settings/work'
import { mayWorkOnLeads, type StoredUser, type Users } from '@/server/users/users'
import type { TriageBoard } from './triage-board'
import { lockTriage, triageRows, writeTriage } from './write-triage'

type Content = { content: { table: LeadTable } | null }
type Parts = {
  connect: Connect
  work: Pick<Work, 'settings' | 'rules'>
  triage: Pick<TriageBoard, 'current'>
  users: Pick<Users, 'list'>
  feed: { askedQuestions: () => Content; declarations: () => Content }
  protections: Pick<Protections, 'current'>
  announcer: Pick<Announcer, 'triage'>
  now: () => number
  logger: Pick<Logger, 'warn'>
}

const AT_ONCE = 500

/** Every instance checks; the turn is read under the lock, so each lead is assigned once. */
export function createStanding(parts: Parts) {
  const inTurn = createQueue()
  const waiting = new Set<LeadKind>()
  const erased = new Set<string>()
  let last: { standing: WorkSettings['standing']; turns: Turns } | null = null
  const assign = async (kind: LeadKind): Promise<number> => {
    const { standing, leave } = await parts.work.settings()
    // The start of each school's turns is stored at the first check, so each new choice is checked at once.
    if (last?.standing !== standing) last = { standing, turns: await updateTurns(parts) }
    const untouched = await newLeads(parts, kind, last.turns)
    const mayBegin = untouched.filter(({ id }) => !erased.has(leadKey({ kind, id })))
    // Avoids the lock of all writers if nobody is available.
    const users = mayBegin.length === 0 ? [] : await parts.users.list()
    const people = new Map(users.map((person) => [person.id, person]))
    const isAvailable = availability(people, leave, parts.now())
    const found = mayBegin.filter((lead) => standing[lead.school]?.some((id) => isAvailable(id, lead)))
    let count = 0
    for (let from = 0; from < found.length; from += AT_ONCE) {
      const assigned = await assignPart(parts, { kind, found: found.slice(from, from + AT_ONCE), people, erased })
      if (assigned.length > 0) parts.announcer.triage(kind, NOBODY, new Set(assigned))
      count += assigned.length
    }
    return count
  }
  const assignSoon = (kind: LeadKind): void => {
    if (waiting.has(kind)) return
    waiting.add(kind)
    void inTurn(() => {
      waiting.delete(kind)
      return assign(kind)
    }).catch((err: unknown) =>
      parts.logger.warn({ err }, 'new leads could not be assigned; the next fetch tries again'),
    )
  }
  return {
    fetched: (list: FeedList): void => {
      if (list !== 'high-schools') assignSoon(LISTS[list].kind)
    },
    assign,
  }
}

const NOBODY = ''

const TURN = 'standing-turn'
const STANDING = 'work.standing'
const LEAVE = 'work.leave'

/** By school: leads after this time (ms) are assigned, and who had the last one. */
const turnsSchema = z.record(z.string(), z.object({ since: z.number(), last: z.string().nullable() }))
type Turns = z.infer<typeof turnsSchema>

/** `chosenAt` is null if nothing was ever chosen. */
async function readTurns(tx: Db) {
  const isOne = inArray(table.name, [TURN, STANDING, LEAVE])
  const rows = await tx.select().from(table).where(isOne)
  const rowOf = (name: string) => rows.find((row) => row.name === name)
  const { standing, leave } = workSettingsSchema.shape
  return {
    standing: standing.safeParse(rowOf(STANDING)?.value).data ?? {},
    chosenAt: rowOf(STANDING)?.updatedAt.getTime() ?? null,
    leave: leave.safeParse(rowOf(LEAVE)?.value).data ?? {},
    turns: turnsSchema.safeParse(rowOf(TURN)?.value).data ?? {},
  }
}

/** A school with new standing users starts with leads that arrive after their choice. */
async function updateTurns({ connect, now }: Parts): Promise<Turns> {
  const db = await connect()
  return db.transaction(async (tx) => {
    await lockTriage(tx, null, 'many')
    const { standing, chosenAt, turns } = await readTurns(tx)
    const schools = Object.keys(standing).filter((school) => (standing[school] ?? []).length > 0)
    const next: Turns = Object.fromEntries(
      schools.map((school) => [school, turns[school] ?? { since: chosenAt ?? now(), last: null }]),
    )
    if (JSON.stringify(next) !== JSON.stringify(turns)) await writeSetting(tx, TURN, next, now())
    return next
  })
}

type NewLead = { id: string; school: string; createdAt: number; isShownTo: (person: string) => boolean }

async function newLeads({ feed, triage, work, protections }: Parts, kind: LeadKind, turns: Turns): Promise<NewLead[]> {
  const { content } = kind === 'asked-question' ? feed.askedQuestions() : feed.declarations()
  if (content === null || Object.keys(turns).length === 0) return []
  const [entries, rules, list] = [await triage.current(kind), await work.rules(kind), await protections.current()]
  const leads = tableFor(list, { id: NOBODY, schools: 'all' }, content.table)
  const isShown = canSee(list, content.table)
  const isEarlier = earlierRows(leads, rules)
  const sinceOf = leads.schoolIds.map((school) => turns[school]?.since ?? Infinity)
  const earliest = sinceOf.reduce((first, since) => Math.min(first, since), Infinity)
  const found: NewLead[] = []
  // Newest first, so leads from before the choice are never read.
  for (let row = 0; row < leads.size; row++) {
    const createdAt = leads.createdAt[row] ?? 0
    if (createdAt <= earliest) break
    const place = leads.school[row] ?? -1
    const id = leads.id[row] ?? ''
    if (createdAt <= (sinceOf[place] ?? Infinity) || isEarlier(row) || entries.has(id)) continue
    found.push({ id, school: leads.schoolIds[place] ?? '', createdAt, isShownTo: (person) => isShown(row, person) })
  }
  return found.reverse()
}

type IsAvailable = (id: string, lead: NewLead) => boolean

type People = ReadonlyMap<string, StoredUser>

function availability(people: People, leave: WorkSettings['leave'], now: number): IsAvailable {
  const today = stockholmDay(now)
  return (id, { school, isShownTo }) => {
    const person = people.get(id)
    if (person === undefined || !mayWorkOnLeads(person) || awayUntil(leave, id, today) !== null) return false
    return (person.schools === 'all' || person.schools.includes(school)) && isShownTo(id)
  }
}

type Part = { kind: LeadKind; found: readonly NewLead[]; people: People; erased: Set<string> }

/** Returns the schools of assigned leads, and adds erased leads to `erased`. */
async function assignPart(parts: Parts, { kind, found, people, erased }: Part): Promise<string[]> {
  const db = await parts.connect()
  return db.transaction(async (tx) => {
    await lockTriage(tx, null, 'many')
    const { standing, leave, turns } = await readTurns(tx)
    const ids = found.map(({ id }) => id)
    const decided = await triageRows(tx, kind, ids)
    const isThere = availability(people, leave, parts.now())
    const next: Turns = structuredClone(turns)
    for (const id of await erasedAmong(tx, kind, ids)) erased.add(leadKey({ kind, id }))
    const assigned = found.flatMap((lead) => {
      const { id, school, createdAt } = lead
      const turn = next[school]
      if (decided.has(id) || erased.has(leadKey({ kind, id })) || !turn || createdAt <= turn.since) return []
      const all = standing[school] ?? []
      const who = nextInTurn(all, turn.last, (one) => isThere(one, lead))
      if (who === null) return []
      turn.last = who
      return [{ id, school, after: { status: 'new' as const, assigneeId: who } }]
    })
    const at = new Date(parts.now())
    const changes = assigned.map(({ id, after }) => ({ id, revision: null, before: null, after }))
    await writeTriage(tx, { userId: null, kind, at, action: 'lead-assigned' }, changes)
    if (assigned.length > 0) await writeSetting(tx, TURN, next, parts.now())
    return assigned.map(({ school }) => school)
  })
}

/** An erased lead is neither assigned nor worked on again. */
export async function erasedAmong(tx: Db, kind: LeadKind, ids: string[]): Promise<string[]> {
  const isErased = and(eq(activity.leadKind, kind), inArray(activity.leadId, ids), eq(activity.action, 'data-erased'))
  const rows = await tx.select({ id: activity.leadId }).from(activity).where(isErased)
  return rows.flatMap(({ id }) => id ?? [])
}

function nextInTurn(all: readonly string[], last: string | null, isThere: (id: string) => boolean): string | null {
  const after = last === null ? 0 : all.indexOf(last) + 1
  return [...all.slice(after), ...all.slice(0, after)].find(isThere) ?? null
}
