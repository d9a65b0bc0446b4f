import 'server-only'
import { and, gt, isNull, max } from 'drizzle-orm'
import type { Colleague, OldestLate, WeekFigures } from '@/lib/contract/day'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { nameOf } from '@/lib/inbox/lead-text'
import { byDeadline } from '@/lib/leads/queue-order'
import { seasonOn } from '@/lib/interest/season'
import { quantile } from '@/lib/interest/answers'
import { stockholmDay } from '@/lib/time/stockholm'
import { may, type Reader } from '@/server/access/viewer'
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
    services.connect().then((db) => unseenMentions(db, viewer)),
    teamOf(services, viewer, openLeadsOf),
  ])
  const mentions = named.filter(({ kind, id }) => {
    const { table } = kind === 'asked-question' ? questions : declarations
    return isShownLead(table, viewer, id)
  })
  const since = lists.flatMap(({ numbers }) => numbers.since ?? []).toSorted()
  const answers = lists.flatMap((list) => list.answers)
  const minutes = answers.map((answer) => answer.minutes).toSorted((a, b) => a - b)
  const median = quantile(minutes, 0.5)
  // Before it was chosen from when leads are work, an answer is measured by no goal: it may be to a lead of years ago.
  const measured = settings.work === null ? [] : answers.filter(({ isWithinGoal }) => isWithinGoal !== null)
  const inTime = measured.filter(({ isWithinGoal }) => isWithinGoal)
  return {
    ...addedUp(lists),
    since: since.at(-1) ?? null,
    leads: lists.reduce((sum, { leads }) => sum + leads, 0),
    hasSchools: viewer.schools === 'all' || viewer.schools.size > 0,
    byList: { 'asked-questions': questions.numbers, 'declarations-of-interest': declarations.numbers },
    oldest: oldestOf(lists),
    mentions: mentions.length,
    mentioned: mentions.slice(0, MAX_MENTIONED),
    team,
    season: seasonOn(stockholmDay(services.now()), settings.cycle),
    week: {
      answered: answers.length,
      answeredWithinGoal: measured.length === 0 ? null : inTime.length / measured.length,
      medianMinutes: median === null ? null : Math.round(median),
    } satisfies WeekFigures,
  }
}

const MAX_MENTIONED = 5

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

const HERE_MS = 10 * 60_000
const MAX_COLLEAGUES = 100

/** First who is here, then who has the most left. */
async function teamOf(services: Services, viewer: Reader, leftOf: (userId: string) => number): Promise<Colleague[]> {
  if (!may(viewer, 'leads:triage')) return []
  const { people } = await listPeople(services, viewer)
  const db = await services.connect()
  const { userId, lastUsedAt, endedAt } = sessions
  const isHere = and(isNull(endedAt), gt(lastUsedAt, new Date(services.now() - HERE_MS)))
  const used = await db
    .select({ userId, at: max(lastUsedAt) })
    .from(sessions)
    .where(isHere)
    .groupBy(userId)
  const lastUse = new Map(used.map((row) => [row.userId, row.at]))
  return people
    .map(({ id, name }) => ({ id, name, left: leftOf(id), here: lastUse.get(id)?.toISOString() ?? null }))
    .toSorted(
      (a, b) => Number(b.here !== null) - Number(a.here !== null) || b.left - a.left || (a.name < b.name ? -1 : 1),
    )
    .slice(0, MAX_COLLEAGUES)
}
