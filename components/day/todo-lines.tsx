import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useToday } from '@/components/browser/clock'
import { DeskLink } from '@/components/desk/navigate'
import { useSchoolNames } from '@/components/desk/schools'
import { cn } from '@/components/ui/cn'
import { Kbd } from '@/components/ui/kbd'
import type { Day, OldestLate } from '@/lib/contract/day'
import { type DayLine, dayLines, newSince } from '@/lib/inbox/queues'
import { fullDay } from '@/lib/time/format-date'
import { sinceTime } from '@/lib/time/format-time'
import { daysSince, stockholmEpochDay } from '@/lib/time/stockholm'

export function TodoLines({ day, schools }: { day: Day; schools: readonly string[] }) {
  const t = useTranslations('day')
  return (
    <ul
      aria-label={t('work')}
      className="grid grid-cols-[auto_minmax(0,1fr)_auto] overflow-hidden rounded-lg border border-line bg-panel shadow-card"
    >
      {dayLines(day, schools).map((line) => (
        <Line key={line.name} line={line} day={day} />
      ))}
    </ul>
  )
}

function Line({ line, day }: { line: DayLine; day: Day }) {
  const t = useTranslations('day')
  const { name, count, href } = line
  const title = useLineTitle(line, day)
  const isZero = count === 0
  const number = (
    <span
      className={cn(
        'tabular block min-w-6 text-right leading-7 font-semibold tracking-tight whitespace-nowrap',
        count > 999 ? 'text-base' : 'text-[1.375rem]',
        isZero && 'font-medium text-faint',
        name === 'late' && !isZero && 'text-late',
      )}
    >
      {t('count', { count })}
    </span>
  )
  return (
    <li className="relative col-span-full grid grid-cols-subgrid items-center gap-x-4 border-b border-line-soft px-4.5 py-3 last:border-b-0 hover:bg-hover has-[[data-day-line]:focus-visible]:bg-selected @max-lg:gap-x-3 @max-lg:px-4">
      {number}
      <div className="min-w-0">
        {isZero || href === null ? (
          <p className="min-h-6 font-medium text-mute">{title}</p>
        ) : (
          <DeskLink
            href={href}
            data-day-line={name}
            className="inline-block min-h-6 font-semibold outline-offset-4 after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
          >
            {title}
          </DeskLink>
        )}
        <p
          suppressHydrationWarning
          className={cn('text-sm leading-6 text-pretty wrap-anywhere', isZero ? 'text-faint' : 'text-mute')}
        >
          <Sentence line={line} day={day} />
        </p>
      </div>
      <span aria-hidden className={cn('text-faint @max-xs:hidden', isZero && 'invisible')}>
        <Kbd>↵</Kbd>
      </span>
    </li>
  )
}

function useLineTitle({ name }: DayLine, day: Day): string {
  const t = useTranslations('day.line')
  const locale = useLocale()
  const today = useToday()
  if (name !== 'new') return t(name)
  if (day.since === null) return t('newFirst')
  const since = newSince(day)
  return since === null ? t('new') : t('newSince', { when: sinceTime(Date.parse(since), today, locale) })
}

function Sentence({ line, day }: { line: DayLine; day: Day }): ReactNode {
  const t = useTranslations('day')
  const { name, count, parts } = line
  if (count === 0) {
    const later = name === 'followUps' && day.snoozed > 0 && `; ${t('snoozed', { count: day.snoozed })}`
    return (
      <>
        {t(`none.${name}`)}
        {later}
      </>
    )
  }
  const detail = name === 'late' && day.oldest !== null ? <Oldest oldest={day.oldest} /> : t(`hint.${name}`)
  if (parts.length === 0) return detail
  return (
    <>
      {parts.map(({ list, count: some, href }, index) => (
        <span key={list}>
          {index > 0 && ', '}
          {parts.length === 1 ? (
            t(`in.${list}`, { count: some })
          ) : (
            <DeskLink
              href={href}
              className="relative z-10 inline-block min-h-6 rounded-xs text-ink underline decoration-line underline-offset-3 hover:decoration-current touch:before:absolute touch:before:inset-x-0 touch:before:-inset-y-1.5"
            >
              {t(`in.${list}`, { count: some })}
            </DeskLink>
          )}
        </span>
      ))}
      {' · '}
      {detail}
    </>
  )
}

/** Of more days the date is easier to grasp. */
const FEW_DAYS = 60

function Oldest({ oldest }: { oldest: OldestLate }) {
  const t = useTranslations('day')
  const locale = useLocale()
  const { byId } = useSchoolNames()
  const days = daysSince(oldest.waitingSince, useToday())
  const school = byId(oldest.school)
  const what = oldest.list === 'asked-questions' ? 'oldestQuestion' : 'oldestDeclaration'
  const who = [oldest.name, t(what, { school })].filter(Boolean).join(', ')
  if (days <= FEW_DAYS) return t('oldest', { days, who })
  return t('oldestSince', { day: fullDay(stockholmEpochDay(Date.parse(oldest.waitingSince)), locale), who })
}
