import 'server-only'
import { and, gt, inArray, isNull, max } from 'drizzle-orm'
import type { Colleague, OldestLate, WeekFigures } from '@/lib/contract/day'
import type { LeadRef } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { nameOf } from '@/lib/inbox/lead-text'
import { byDeadline } from '@/lib/leads/queue-order'
import { seasonOn } from '@/lib/interest/season'
import { quantile } from '@/lib/interest/answers'
import type { FirstAnswer } from '@/lib/leads/count-work'
import { stockholmDay } from '@/lib/time/stockholm'
import { may, type Viewer, type Reader } from '@/server/access/viewer'
import { sessions } from '@/server/base/access-schema'
import { isShownLead } from './select-leads'
import { addedUp, type CountedList, countList } from './list-counts'
import { listPeople } from '@/server/access/users'
import type { Services } from '@/server/base/services'
import { unseenMentions } from './notes'

export async function getDay(services: Services, viewer: Reader, { school }: { school?: string[] | undefined } = {}) {
  const [questions, declarations] = await Promise.all([
    countList(services, viewer, 'asked-question', school),
    countList(services, viewer, 'declaration-of-interest', school),
  ])
  const lists = [questions, declarations]
  const openLeadsOf = (userId: string) => lists.reduce((sum, { openOf }) => sum + openOf(userId), 0)
  const [settings, named, team] = await Promise.all([
    services.work.settings(),
    mentionsInReach(services, viewer, lists),
    teamOf(services, viewer, openLeadsOf),
  ])
  const oldest = oldestOf(lists)
  const since = lists.flatMap(({ numbers }) => numbers.since ?? []).toSorted()
  return {
    ...addedUp(lists),
    since: since.at(-1) ?? null,
    leads: lists.reduce((sum, { leads }) => sum + leads, 0),
    hasSchools: viewer.schools === 'all' || viewer.schools.size > 0,
    byList: { 'asked-questions': questions.numbers, 'declarations-of-interest': declarations.numbers },
    oldest,
    mentions: named.length,
    mentioned: named.slice(0, MAX_MENTIONED),
    team,
    season: seasonOn(stockholmDay(services.now()), settings.cycle),
    week: weekOf(
      lists.flatMap(({ answers }) => answers),
      settings.work !== null,
    ),
  }
}

/** The first of the queue of what is late, in that queue's order. */
function oldestOf(lists: readonly CountedList[]): OldestLate | null {
  const late = lists.map(({ table, oldestRow, dueOf }) => {
    return { table, rows: Uint32Array.from(oldestRow === -1 ? [] : [oldestRow]), isWaiting: () => true, dueOf }
  })
  const [first] = byDeadline(late, 1)
  const list = lists[first?.part ?? -1]
  if (first === undefined || list === undefined) return null
  const { kind, table } = list
  const lead = table.lead(first.row)
  const waitingSince = new Date(table.createdAt[first.row] ?? 0).toISOString()
  const name = 'user' in lead ? nameOf(lead) || null : null
  return { kind, id: lead.id, list: LISTS_BY_KIND[kind].list, waitingSince, name, school: lead.highSchoolId }
}

const MAX_MENTIONED = 5

async function mentionsInReach(services: Services, viewer: Viewer, lists: readonly CountedList[]): Promise<LeadRef[]> {
  const named = await unseenMentions(await services.connect(), viewer)
  return named.filter(({ kind, id }) => {
    const table = lists.find((list) => list.kind === kind)?.table
    return table && isShownLead(table, viewer, id)
  })
}

const HERE_MS = 10 * 60_000
const MAX_COLLEAGUES = 100

async function teamOf(services: Services, viewer: Reader, leftOf: (userId: string) => number): Promise<Colleague[]> {
  if (!may(viewer, 'leads:triage')) return []
  const { people } = await listPeople(services, viewer)
  const ids = people.map(({ id }) => id)
  const here = await lastUses(services, ids)
  const team = people.map(({ id, name }): Colleague => ({
    id,
    name,
    left: leftOf(id),
    here: here.get(id)?.toISOString() ?? null,
  }))
  return team.toSorted(byPresence).slice(0, MAX_COLLEAGUES)
}

function byPresence(a: Colleague, b: Colleague): number {
  return Number(b.here !== null) - Number(a.here !== null) || b.left - a.left || (a.name < b.name ? -1 : 1)
}

async function lastUses({ connect, now }: Services, ids: string[]): Promise<ReadonlyMap<string, Date>> {
  if (ids.length === 0) return new Map()
  const { userId: id, lastUsedAt, endedAt } = sessions
  const isHere = and(inArray(id, ids), isNull(endedAt), gt(lastUsedAt, new Date(now() - HERE_MS)))
  const db = await connect()
  const last = { id, at: max(lastUsedAt) }
  const rows = await db.select(last).from(sessions).where(isHere).groupBy(id)
  return new Map(rows.flatMap((row) => (row.at === null ? [] : [[row.id, row.at]])))
}

/** Before it was chosen from when leads are work, an answer is measured by no goal: it may be to a lead of years ago. */
function weekOf(answers: readonly FirstAnswer[], hasFirstDay: boolean): WeekFigures {
  const goals = (hasFirstDay ? answers : []).flatMap(({ isWithinGoal }) =>
    isWithinGoal === null ? [] : [isWithinGoal],
  )
  const minutes = answers.map((answer) => answer.minutes).toSorted((a, b) => a - b)
  const median = quantile(minutes, 0.5)
  return {
    answered: answers.length,
    answeredWithinGoal: goals.length === 0 ? null : goals.filter(Boolean).length / goals.length,
    medianMinutes: median === null ? null : Math.round(median),
  }
}
