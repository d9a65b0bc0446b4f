import { and, gt, isNull, max } from 'drizzle-orm'
import type { Day, ListDay } from '@/lib/contract/day'
import type { LeadKind } from '@/lib/contract/lead'
import { type QueueName, QUEUES } from '@/lib/contract/lists'
import type { WorkSettings } from '@/lib/contract/settings'
import { findQueueFilter } from '@/lib/inbox/queues'
import { describeSeason } from '@/lib/interest/season-strip'
import { countWork } from '@/lib/leads/count-work'
import { findAnswersSince, type FirstAnswer, selectAnswers } from '@/lib/leads/first-answers'
import { selectRows } from '@/lib/leads/select-rows'
import { findDueDays } from '@/lib/leads/work-rules'
import { computeQuantile } from '@/lib/quantile'
import { MINUTE_MS } from '@/lib/time/durations'
import { formatIsoDay, toStockholmDay, startOfStockholmDay, toStockholmEpochDay } from '@/lib/time/stockholm'
import { findMonday } from '@/lib/time/weeks'
import { listColleagues } from '@/server/access/colleagues'
import { may, type Reader, toScopeKey } from '@/server/access/viewer'
import { sessions } from '@/server/base/access-schema'
import type { Services } from '@/server/base/services'
import { getTriageColumns } from './list-counts'
import { maySeeLead } from './lead-tables'
import { findUnseenMentions } from './notes'
import { readTableAndContext } from './select-leads'

const QUEUE_NAMES = Object.keys(QUEUES) as QueueName[]
const MAX_LISTED_MENTIONS = 5
/** A colleague who used Intag within this time is shown as present. */
const PRESENT_MS = 10 * MINUTE_MS
const MAX_COLLEAGUES = 100

/** Counts the work of both lists for the screen *Today*, with the team and the viewer's unseen mentions. */
export async function getDay(
  services: Services,
  viewer: Reader,
  { school }: { school?: string[] | undefined },
): Promise<Day> {
  const [questions, declarations] = await Promise.all([
    countListWork(services, viewer, 'asked-question', school),
    countListWork(services, viewer, 'declaration-of-interest', school),
  ])
  const lists = [questions, declarations]
  const countOpenLeads = (userId: string) =>
    lists.reduce((sum, { counts }) => sum + (counts.openByAssignee.get(userId) ?? 0), 0)
  const [settings, unseenMentions, team] = await Promise.all([
    services.work.getSettings(),
    services.connect().then((db) => findUnseenMentions(db, viewer)),
    listTeam(services, viewer, countOpenLeads),
  ])
  const mentionedLeads = unseenMentions.filter(({ kind, id }) => {
    const { table } = kind === 'asked-question' ? questions : declarations
    return maySeeLead(table, viewer, id)
  })
  // Only the queues' counts are summed, because the days of `due` differ by list.
  const { due: _, ...totals } = questions.listDay
  for (const name of QUEUE_NAMES) totals[name] += declarations.listDay[name]
  const visitEnds = lists.flatMap(({ listDay }) => listDay.since ?? []).toSorted()
  const answers = lists.flatMap(({ counts }) => counts.answers)
  return {
    ...totals,
    since: visitEnds.at(-1) ?? null,
    leads: lists.reduce((sum, { counts }) => sum + counts.leadCount, 0),
    hasSchools: viewer.schools === 'all' || viewer.schools.size > 0,
    byList: { 'asked-questions': questions.listDay, 'declarations-of-interest': declarations.listDay },
    mentions: mentionedLeads.length,
    mentioned: mentionedLeads.slice(0, MAX_LISTED_MENTIONS),
    team,
    season: describeSeason(toStockholmDay(services.now()), settings.cycle),
    week: describeWeek(answers, settings),
  }
}

async function countListWork(services: Services, viewer: Reader, kind: LeadKind, schools?: readonly string[]) {
  const { table, context } = await readTableAndContext(services, viewer, kind)
  const { work, lastVisitAt, triage } = context
  const today = toStockholmDay(services.now())
  const monday = formatIsoDay(findMonday(toStockholmEpochDay(services.now())))
  const answers = services.answersOfWeek.getOrMake(JSON.stringify([work.key, monday]), { table }, () =>
    findAnswersSince(table, triage, work, startOfStockholmDay(monday)),
  )
  const columns = getTriageColumns(services, table, context)
  const filter = schools && { school: schools.toSorted() }
  const dueDays = findDueDays(work, today)
  // Any decision ends the cache, so its key needs nothing of the triage.
  const key = JSON.stringify([toScopeKey(viewer), filter, work.key, today])
  const counts = services.workCounts.getOrMake(key, { table }, () => {
    const rows = selectRows(table, { ...filter }, context)
    return { ...countWork(table, rows, columns, work, dueDays), answers: selectAnswers(answers, rows, table.size) }
  })
  const countNewLeads = () => selectRows(table, { ...findQueueFilter('new', null), ...filter }, context).length
  const listDay: ListDay = {
    ...counts.queueCounts,
    new: lastVisitAt === null ? counts.untouchedCount : countNewLeads(),
    mine: counts.openByAssignee.get(viewer.id) ?? 0,
    since: lastVisitAt === null ? null : new Date(lastVisitAt).toISOString(),
    due: dueDays,
  }
  return { table, counts, listDay }
}

function describeWeek(answers: readonly FirstAnswer[], { work }: WorkSettings): Day['week'] {
  const minutes = answers.map((answer) => answer.minutes).toSorted((a, b) => a - b)
  const median = computeQuantile(minutes, 0.5)
  // No answer is measured until administrators have set the first day of work: the lead may be from years ago.
  const measured = work === null ? [] : answers.filter(({ isWithinGoal }) => isWithinGoal !== null)
  const withinGoal = measured.filter(({ isWithinGoal }) => isWithinGoal)
  return {
    answered: answers.length,
    answeredWithinGoal: measured.length === 0 ? null : withinGoal.length / measured.length,
    medianMinutes: median === null ? null : Math.round(median),
  }
}

/** Lists colleagues: those who are present come first, and then those with the most open leads. */
async function listTeam(services: Services, viewer: Reader, countOpenLeads: (userId: string) => number) {
  if (!may(viewer, 'leads:triage')) return []
  const { people } = await listColleagues(services, viewer)
  const db = await services.connect()
  const { userId, lastUsedAt, endedAt } = sessions
  const usedAt = max(lastUsedAt)
  const isRecent = and(isNull(endedAt), gt(lastUsedAt, new Date(services.now() - PRESENT_MS)))
  const recentUses = await db.select({ userId, usedAt }).from(sessions).where(isRecent).groupBy(userId)
  const lastUses = new Map(recentUses.map((row) => [row.userId, row.usedAt]))
  return people
    .map(({ id, name }) => ({ id, name, left: countOpenLeads(id), here: lastUses.get(id)?.toISOString() ?? null }))
    .toSorted(
      (a, b) => Number(b.here !== null) - Number(a.here !== null) || b.left - a.left || (a.name < b.name ? -1 : 1),
    )
    .slice(0, MAX_COLLEAGUES)
}
