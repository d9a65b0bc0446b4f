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
  /** Any moment of today. */
  todayMs: number
  locale: Locale
  toSchoolName: (id: string) => string
  cohort: number | null
}

/** Returns null if the row shows its date instead. In a queue every waiting lead shows its deadline. */
export function describeDeadline(
  { late: isLate, due: dueDay, waitingSince }: LeadItem,
  { t, todayMs, locale, isQueue }: Pick<RowContext, 't' | 'todayMs' | 'locale'> & { isQueue: boolean },
): string | null {
  if (isLate && waitingSince !== null) return t('waited', { count: countDaysSince(waitingSince, todayMs) })
  const currentDay = toStockholmDay(todayMs)
  if (dueDay === currentDay) return t('due')
  if (dueDay === null || waitingSince === null || !isQueue) return null
  return dueDay === addDays(currentDay, 1) ? t('dueTomorrow') : t('dueOn', { day: formatShortDay(dueDay, locale) })
}

/** Says what staff and the person did. Other people with the same e-mail or phone are only named. */
export function toRowTexts(item: LeadItem, { t, todayMs, locale, toSchoolName, cohort }: RowContext): string[] {
  const { attempts, snoozeUntil, person, highSchoolId } = item
  const { last: lastAttempt, alike: alikeCount = 1 } = attempts
  const texts: string[] = []
  if (lastAttempt !== null) {
    const { at, by: actor, outcome, channel } = lastAttempt
    const actorName = toFirstName(actor?.name ?? '') || 'none'
    const when = formatSince(Date.parse(at), todayMs, locale)
    texts.push(t(outcome, { by: actorName, when, count: alikeCount, channel }))
  } else if (isQuestion(item) && item.sender.mode === 'phone' && item.waitingSince !== null) texts.push(t('call'))
  if (snoozeUntil !== null) texts.push(t('back', { day: formatShortDay(snoozeUntil, locale) }))
  if (person === null) return texts

  const { declared, asked: askedSchools, leads: otherLeadCount } = person.shared ?? person
  const nameSchool = (school: string) => (school === highSchoolId ? t('here') : shortenSchoolName(toSchoolName(school)))
  for (const { highSchoolId: school, year } of declared) {
    const otherCohort = year === null || year === cohort ? '' : ` ${year}`
    texts.push(t('declared', { where: nameSchool(school) + otherCohort }))
  }
  texts.push(...askedSchools.map((school) => t('asked', { where: nameSchool(school) })))
  if (otherLeadCount > 1) texts.push(t('leads', { count: otherLeadCount + 1 }))
  const otherPeople = person.shared?.others ?? []
  const byRelation = groupBy(otherPeople, ({ by: matchedBy, isSibling }) => (isSibling ? 'sibling' : matchedBy))
  for (const [relation, others] of byRelation)
    texts.push(t(relation, { names: new Intl.ListFormat(locale).format(others.map(({ name }) => name)) }))
  return texts
}

/** Returns null for a question, and for the cohort whose admission goes on, to which most declarations belong. */
export function findYearOfOtherCohort(item: LeadItem, cohort: number | null): number | null {
  const year = isQuestion(item) ? null : item.user.highSchoolEnrollmentYear
  return year === cohort ? null : year
}

/** Shortens "Norra Gymnasiet" to "Norra". */
export function shortenSchoolName(name: string): string {
  return name.replace(/(?<=\S) (?:gymnasiet|gymnasium|gymnasieskola|gymnasieskolan)$/iu, '')
}
