import type { useTranslations } from 'next-intl'
import type { LeadItem } from '@/lib/api/leads'
import { groupBy } from '@/lib/group-by'
import type { Locale } from '@/lib/i18n/locale'
import { shortDay, sinceTime } from '@/lib/time/format-time'
import { addDays, daysSince, stockholmDay } from '@/lib/time/stockholm'
import { isQuestion } from './lead-text'

type Words = ReturnType<typeof useTranslations<'inbox.row'>>
type Said = { t: Words; today: number; locale: Locale; schoolOf: (id: string) => string; cohort: number | null }

/** How urgent a lead is; null where that does not go before when it came. A queue is by deadline, and so says each. */
export function rowDeadline(
  { late, due, waitingSince }: LeadItem,
  { t, today, locale, isQueue }: Pick<Said, 't' | 'today' | 'locale'> & { isQueue: boolean },
): string | null {
  if (late && waitingSince !== null) return t('waited', { count: daysSince(waitingSince, today) })
  const day = stockholmDay(today)
  if (due === day) return t('due')
  if (due === null || waitingSince === null || !isQueue) return null
  return due === addDays(day, 1) ? t('dueTomorrow') : t('dueOn', { day: shortDay(due, locale) })
}

export function rowStrip(item: LeadItem, said: Said): string[] {
  return [...done(item, said), ...beside(item, said)]
}

function done(item: LeadItem, { t, today, locale }: Said): string[] {
  const { attempts, snoozeUntil } = item
  const { last, alike = 1 } = attempts
  const words: string[] = []
  if (last !== null) {
    const when = sinceTime(Date.parse(last.at), today, locale)
    const by = (last.by?.name ?? '').split(' ').find((word) => word !== '') ?? 'none'
    words.push(t(last.outcome, { by, when, count: alike, channel: last.channel }))
  } else if (isQuestion(item) && item.sender.mode === 'phone' && item.waitingSince !== null) words.push(t('call'))
  if (snoozeUntil !== null) words.push(t('back', { day: shortDay(snoozeUntil, locale) }))
  return words
}

/** The year of a declaration, but for that of the cohort whose admission goes on: most are of it. */
export function otherYear(item: LeadItem, cohort: number | null): number | null {
  const year = isQuestion(item) ? null : item.user.highSchoolEnrollmentYear
  return year === cohort ? null : year
}

/** Of another name's leads only whose they are. */
function beside({ person, highSchoolId }: LeadItem, { t, locale, schoolOf, cohort }: Said): string[] {
  if (person === null) return []
  const { declared, asked, leads } = person.shared ?? person
  const where = (school: string) => (school === highSchoolId ? t('here') : shortName(schoolOf(school)))
  return [
    ...declared.map(({ highSchoolId: school, year }) => {
      return t('declared', {
        where: [where(school), ...(year === null || year === cohort ? [] : [String(year)])].join(' '),
      })
    }),
    ...asked.map((school) => t('asked', { where: where(school) })),
    ...(leads > 1 ? [t('leads', { count: leads + 1 })] : []),
    ...othersOf(person.shared?.others ?? [], { t, locale }),
  ]
}

type Others = NonNullable<NonNullable<LeadItem['person']>['shared']>['others']

function othersOf(others: Others, { t, locale }: Pick<Said, 't' | 'locale'>): string[] {
  const and = new Intl.ListFormat(locale)
  const said = groupBy(others, ({ by, isSibling }) => (isSibling ? 'sibling' : by))
  return [...said].map(([is, all]) => t(is, { names: and.format(all.map(({ name }) => name)) }))
}

/** "Norra Gymnasiet" is "Norra". */
export function shortName(name: string): string {
  return name.replace(/(?<=\S) (?:gymnasiet|gymnasium|gymnasieskola|gymnasieskolan)$/iu, '')
}
