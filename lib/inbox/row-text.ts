import type { useTranslations } from 'next-intl'
import type { LeadItem } from '@/lib/api/leads'
import { groupBy } from '@/lib/group-by'
import type { Locale } from '@/lib/i18n/locale'
import { formatShortDay, formatSince } from '@/lib/time/format-time'
import { addDays, countDaysSince, toStockholmDay } from '@/lib/time/stockholm'
import { toFirstName } from './day-texts'
import { isQuestion } from './lead-text'

type RowContext = {
  t: ReturnType<typeof useTranslations<'inbox.row'>>
  /** Any moment of today (ms). */
  today: number
  locale: Locale
  toSchoolName: (id: string) => string
  cohort: number | null
}

/** Returns null if the row shows its date instead. In a queue every row shows its deadline. */
export function describeDeadline(
  { late, due, waitingSince }: LeadItem,
  { t, today, locale, isQueue }: Pick<RowContext, 't' | 'today' | 'locale'> & { isQueue: boolean },
): string | null {
  if (late && waitingSince !== null) return t('waited', { count: countDaysSince(waitingSince, today) })
  const currentDay = toStockholmDay(today)
  if (due === currentDay) return t('due')
  if (due === null || waitingSince === null || !isQueue) return null
  return due === addDays(currentDay, 1) ? t('dueTomorrow') : t('dueOn', { day: formatShortDay(due, locale) })
}

/** Says what staff and the person did. Of leads under another name only that name is said. */
export function toRowTexts(item: LeadItem, { t, today, locale, toSchoolName, cohort }: RowContext): string[] {
  const { attempts, snoozeUntil, person, highSchoolId } = item
  const { last, alike = 1 } = attempts
  const texts: string[] = []
  if (last !== null) {
    const when = formatSince(Date.parse(last.at), today, locale)
    const by = toFirstName(last.by?.name ?? '') || 'none'
    texts.push(t(last.outcome, { by, when, count: alike, channel: last.channel }))
  } else if (isQuestion(item) && item.sender.mode === 'phone' && item.waitingSince !== null) texts.push(t('call'))
  if (snoozeUntil !== null) texts.push(t('back', { day: formatShortDay(snoozeUntil, locale) }))
  if (person === null) return texts

  const { declared, asked, leads } = person.shared ?? person
  const nameSchool = (school: string) => (school === highSchoolId ? t('here') : shortenSchoolName(toSchoolName(school)))
  for (const { highSchoolId: school, year } of declared) {
    const otherCohort = year === null || year === cohort ? '' : ` ${year}`
    texts.push(t('declared', { where: nameSchool(school) + otherCohort }))
  }
  texts.push(...asked.map((school) => t('asked', { where: nameSchool(school) })))
  if (leads > 1) texts.push(t('leads', { count: leads + 1 }))
  const relations = groupBy(person.shared?.others ?? [], ({ by, isSibling }) => (isSibling ? 'sibling' : by))
  for (const [relation, others] of relations)
    texts.push(t(relation, { names: new Intl.ListFormat(locale).format(others.map(({ name }) => name)) }))
  return texts
}

/** Returns null for the current cohort, to which most belong. */
export function findYearOfOtherCohort(item: LeadItem, cohort: number | null): number | null {
  const year = isQuestion(item) ? null : item.user.highSchoolEnrollmentYear
  return year === cohort ? null : year
}

/** Shortens "Norra Gymnasiet" to "Norra". */
export function shortenSchoolName(name: string): string {
  return name.replace(/(?<=\S) (?:gymnasiet|gymnasium|gymnasieskola|gymnasieskolan)$/iu, '')
}
