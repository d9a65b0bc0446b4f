import type { useTranslations } from 'next-intl'
import type { LeadItem } from '@/lib/api/leads'
import { groupBy } from '@/lib/group-by'
import type { Locale } from '@/lib/i18n/locale'
import { formatShortDay, formatSince } from '@/lib/time/format-time'
import { addDays, daysSince, stockholmDay } from '@/lib/time/stockholm'
import { isQuestion } from './lead-text'

type RowContext = {
  t: ReturnType<typeof useTranslations<'inbox.row'>>
  now: number
  locale: Locale
  toSchoolName: (id: string) => string
  cohort: number | null
}

/** How urgent a lead is; null where the row shows when the lead came instead. In a queue every row shows its deadline. */
export function describeDeadline(
  { late, due, waitingSince }: LeadItem,
  { t, now, locale, isQueue }: Pick<RowContext, 't' | 'now' | 'locale'> & { isQueue: boolean },
): string | null {
  if (late && waitingSince !== null) return t('waited', { count: daysSince(waitingSince, now) })
  const today = stockholmDay(now)
  if (due === today) return t('due')
  if (due === null || waitingSince === null || !isQueue) return null
  return due === addDays(today, 1) ? t('dueTomorrow') : t('dueOn', { day: formatShortDay(due, locale) })
}

/** What was done about a lead, and what else is known of the person; of leads under another name only whose they are. */
export function toRowTexts(item: LeadItem, { t, now, locale, toSchoolName, cohort }: RowContext): string[] {
  const { attempts, snoozeUntil, person, highSchoolId } = item
  const { last, alike = 1 } = attempts
  const words: string[] = []
  if (last !== null) {
    const when = formatSince(Date.parse(last.at), now, locale)
    const by = (last.by?.name ?? '').split(' ').find((word) => word !== '') ?? 'none'
    words.push(t(last.outcome, { by, when, count: alike, channel: last.channel }))
  } else if (isQuestion(item) && item.sender.mode === 'phone' && item.waitingSince !== null) words.push(t('call'))
  if (snoozeUntil !== null) words.push(t('back', { day: formatShortDay(snoozeUntil, locale) }))
  if (person === null) return words

  const { declared, asked, leads } = person.shared ?? person
  const where = (school: string) => (school === highSchoolId ? t('here') : shortenSchoolName(toSchoolName(school)))
  for (const { highSchoolId: school, year } of declared) {
    const otherCohort = year === null || year === cohort ? '' : ` ${year}`
    words.push(t('declared', { where: where(school) + otherCohort }))
  }
  words.push(...asked.map((school) => t('asked', { where: where(school) })))
  if (leads > 1) words.push(t('leads', { count: leads + 1 }))
  const relations = groupBy(person.shared?.others ?? [], ({ by, isSibling }) => (isSibling ? 'sibling' : by))
  for (const [relation, others] of relations)
    words.push(t(relation, { names: new Intl.ListFormat(locale).format(others.map(({ name }) => name)) }))
  return words
}

/** The year of a declaration; null for the current cohort, to which most declarations belong. */
export function otherYear(item: LeadItem, cohort: number | null): number | null {
  const year = isQuestion(item) ? null : item.user.highSchoolEnrollmentYear
  return year === cohort ? null : year
}

/** "Norra Gymnasiet" is "Norra". */
export function shortenSchoolName(name: string): string {
  return name.replace(/(?<=\S) (?:gymnasiet|gymnasium|gymnasieskola|gymnasieskolan)$/iu, '')
}
