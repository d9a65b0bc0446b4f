import 'server-only'
import type { Day, OldestLate, WeekFigures } from '@/lib/contract/day'
import type { LeadRef } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { nameOf } from '@/lib/inbox/lead-text'
import { seasonOn } from '@/lib/interest/season'
import { quantile } from '@/lib/interest/time-to-answer'
import type { FirstAnswer } from '@/lib/leads/answers-since'
import { isHiddenRow } from '@/lib/leads/protected-table'
import { stockholmDay } from '@/lib/time/stockholm'
import type { Allowed, Viewer } from '@/server/access/viewer'
import type { Reading } from '@/server/activity/reading'
import type { Connect } from '@/server/db/database'
import { isDatabaseUnreachable } from '@/server/db/trouble'
import { schoolInReach } from '@/server/leads/select-leads'
import { addedUp, type CountedList, countList, type WorkCountParts } from '@/server/leads/work-counts'
import { unseenMentions } from './mentions'
import { type TeamParts, teamOf } from './team'

type Parts = WorkCountParts & TeamParts & { connect: Connect; reading: Pick<Reading, 'shown'> }

/**
 * What a person's day holds: as many of everything as the lists have rows, the season, and the team. Looking at it is no visit of a
 * list. Throws NotReadyError while the service has never answered.
 */
export async function getDay(
  parts: Parts,
  viewer: Allowed<'leads:read'>,
  { school }: { school?: string[] | undefined } = {},
): Promise<Day> {
  const [questions, declarations] = await Promise.all([
    countList(parts, viewer, 'asked-question', school),
    countList(parts, viewer, 'declaration-of-interest', school),
  ])
  const lists = [questions, declarations]
  const leftOf = (userId: string) => lists.reduce((sum, { openOf }) => sum + openOf(userId), 0)
  const [settings, named, team] = await Promise.all([
    parts.work.settings(),
    mentionsInReach(parts, viewer, lists),
    teamOf(parts, viewer, leftOf),
  ])
  const oldest = oldestOf(lists)
  if (oldest?.name != null) parts.reading.shown(viewer.id, oldest.kind, [oldest.id])
  const since = lists.flatMap(({ numbers }) => numbers.since ?? []).toSorted()
  return {
    ...addedUp(lists),
    since: since.at(-1) ?? null,
    leads: lists.reduce((sum, { leads }) => sum + leads, 0),
    hasSchools: viewer.schools === 'all' || viewer.schools.size > 0,
    byList: { 'asked-questions': questions.numbers, 'declarations-of-interest': declarations.numbers },
    oldest,
    mentions: named.length,
    mentioned: named.slice(0, MOST_MENTIONED),
    team,
    season: seasonOn(stockholmDay(parts.now()), settings.cycle, settings.calendar),
    week: weekOf(lists.flatMap(({ answers }) => answers)),
  }
}

/** Who has waited longest, of whichever list. */
function oldestOf(lists: readonly CountedList[]): OldestLate | null {
  const late = lists.flatMap(({ kind, table, oldestRow }): OldestLate[] => {
    if (oldestRow === -1) return []
    const lead = table.lead(oldestRow)
    const waitingSince = new Date(table.createdAt[oldestRow] ?? 0).toISOString()
    const name = 'user' in lead ? nameOf(lead) || null : null
    return [{ kind, id: lead.id, list: LISTS_BY_KIND[kind].list, waitingSince, name, school: lead.highSchoolId }]
  })
  return late.toSorted((a, b) => (a.waitingSince < b.waitingSince ? -1 : 1))[0] ?? null
}

const MOST_MENTIONED = 5

/** The leads within reach on which a note names the viewer, newest first; none while the database cannot be read. */
async function mentionsInReach(parts: Parts, viewer: Viewer, lists: readonly CountedList[]): Promise<LeadRef[]> {
  const tables = new Map(lists.map(({ kind, table }) => [kind, table]))
  try {
    const named = await unseenMentions(await parts.connect(), viewer.id)
    return named.flatMap(({ kind, id }) => {
      const table = tables.get(kind)
      if (table === undefined || schoolInReach(table, viewer, id) === null) return []
      return isHiddenRow(table, table.rowOf(id)) ? [] : [{ kind, id }]
    })
  } catch (error) {
    if (isDatabaseUnreachable(error)) return []
    throw error
  }
}

/** The median is that of the first answers: half of them came sooner. */
function weekOf(answers: readonly FirstAnswer[]): WeekFigures {
  const goals = answers.flatMap(({ isWithinGoal }) => (isWithinGoal === null ? [] : [isWithinGoal]))
  const minutes = answers.map((answer) => answer.minutes).toSorted((a, b) => a - b)
  const median = quantile(minutes, 0.5)
  return {
    answered: answers.length,
    answeredWithinGoal: goals.length === 0 ? null : goals.filter(Boolean).length / goals.length,
    medianMinutes: median === null ? null : Math.round(median),
  }
}
