'use client'

import { CalendarCheck, Inbox, School } from 'lucide-react'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { useDayTimeFormatter, useNowByMinute } from '@/components/app/clock'
import { useCurrentUser } from '@/components/app/current-user'
import { useFeedStatus, useIsListMissing } from '@/components/app/feed-status'
import { summarizeFeed } from '@/components/app/feed-summary'
import { NoDataYet } from '@/components/app/no-data-yet'
import { useDayNumbers } from '@/components/app/own-changes'
import { useSchoolFilter } from '@/components/app/schools'
import { Avatar } from '@/components/ui/avatar'
import { EmptyState } from '@/components/ui/empty-state'
import { SectionHeading } from '@/components/ui/headings'
import { LoadFailure } from '@/components/ui/load-failure'
import { LoadingPage } from '@/components/ui/loading'
import { Notice } from '@/components/ui/notice'
import { ApiError } from '@/lib/api/send'
import type { Day, WeekFigures } from '@/lib/contract/day'
import { LEAD_LISTS } from '@/lib/contract/lists'
import { chooseGreeting, splitDuration, toFirstName } from '@/lib/inbox/day-texts'
import { findNextQueue } from '@/lib/inbox/queues'
import { formatDate } from '@/lib/time/format-time'
import { DayPlan } from './day-plan'
import { SeasonStrip } from './season-strip'

export function DayScreen() {
  const t = useTranslations('day')
  const [schools] = useSchoolFilter()
  const { data: day, error, refetch } = useDayNumbers(schools)
  const hasNoData = useIsListMissing(LEAD_LISTS) ?? (error instanceof ApiError && error.kind === 'not-ready')
  if (day === undefined && hasNoData) return <NoDataYet lists={LEAD_LISTS} isWholeScreen />
  if (day === undefined && error === null) return <LoadingPage />
  return (
    <div className="mx-auto w-full max-w-295 px-4 pt-5 pb-10 desk:px-8 desk:pt-7">
      {day === undefined ? (
        <>
          <h1 className="sr-only">{t('title')}</h1>
          <LoadFailure onRetry={refetch} className="my-20 justify-center" />
        </>
      ) : (
        <DayContent day={day} schools={schools} isUnreachable={error !== null} />
      )}
    </div>
  )
}

type DayContentProps = { day: Day; schools: readonly string[]; isUnreachable: boolean }

function DayContent({ day, schools, isUnreachable }: DayContentProps) {
  const t = useTranslations('day')
  const locale = useLocale()
  const { name = '' } = useCurrentUser() ?? {}
  const formatDayTime = useDayTimeFormatter()
  const nowMs = useNowByMinute()
  if (!day.hasSchools)
    return <EmptyState icon={<School />} isWholeScreen title={t('noSchools.title')} hint={t('noSchools.body')} />
  const date = formatDate(nowMs, { weekday: 'long', day: 'numeric', month: 'long' }, locale)
  const firstQueue = findNextQueue(day, null)
  return (
    <div className="@container">
      <header className="pb-4.5">
        <h1 suppressHydrationWarning className="text-xl font-semibold text-balance">
          {t(`greeting.${chooseGreeting(nowMs)}`, { name: toFirstName(name) })}
        </h1>
        <p suppressHydrationWarning className="text-pretty text-mute first-letter:uppercase">
          {date} · {day.since === null ? t('firstTime') : t('lastHere', { when: formatDayTime(day.since) })}
        </p>
      </header>
      <FreshnessNotice isUnreachable={isUnreachable} />
      <SeasonStrip season={day.season} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-9 gap-y-7 @4xl:grid-cols-[minmax(0,1.7fr)_minmax(15rem,1fr)]">
        <div className="flex flex-col gap-4">
          {day.leads === 0 && <EmptyState icon={<Inbox />} title={t('noLeads.title')} hint={t('noLeads.body')} />}
          {day.leads > 0 && firstQueue === null && (
            <div className="card flex items-center gap-4 px-5 py-4">
              <span className="grid size-10 shrink-0 place-items-center rounded-full bg-status-handled text-panel">
                <CalendarCheck className="size-5" strokeWidth={2} />
              </span>
              <div className="min-w-0">
                <h2 className="text-lg font-semibold">{t('done.title')}</h2>
                <p className="text-sm text-pretty text-mute">{t('done.all')}</p>
              </div>
            </div>
          )}
          {firstQueue !== null && <DayPlan firstQueue={firstQueue} day={day} schools={schools} />}
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-7 @lg:grid-cols-2 @4xl:grid-cols-1">
          <Team team={day.team} />
          <Week week={day.week} />
        </div>
      </div>
    </div>
  )
}

function FreshnessNotice({ isUnreachable }: { isUnreachable: boolean }) {
  const t = useTranslations()
  const formatDayTime = useDayTimeFormatter()
  const { data: status } = useFeedStatus()
  let text: string | null = null
  if (isUnreachable) text = t('status.unreachable')
  else if (status !== undefined) {
    const nowMs = Date.parse(status.now)
    const feed = summarizeFeed(status, nowMs)
    if (feed.kind === 'late') text = t('inbox.asOf', { when: formatDayTime(nowMs - feed.ageMs) })
  }
  return (
    // A live region must exist before its text, or it is not read aloud.
    <div role="status" className="contents">
      {text !== null && (
        <Notice size="sm" className="mb-4">
          {text}
        </Notice>
      )}
    </div>
  )
}

function Team({ team }: Pick<Day, 'team'>) {
  const t = useTranslations('day.team')
  const ownId = useCurrentUser()?.id
  const visibleMembers = team.filter(({ id, left, here }) => id === ownId || left > 0 || here !== null)
  return (
    <section aria-labelledby="day-team">
      <SectionHeading id="day-team" text={t('title')} />
      <ul className="flex flex-col gap-3">
        {visibleMembers.map(({ id, name, here, left }) => (
          <li key={id} className="flex items-center gap-2.5 text-sm">
            <span className="relative">
              <Avatar name={name} size="md" />
              {here !== null && (
                <span
                  aria-hidden
                  className="absolute -right-0.5 -bottom-0.5 size-2.5 rounded-full border-2 border-bg bg-status-handled"
                />
              )}
            </span>
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium">{id === ownId ? t('you') : name}</span>
              {here !== null && <span className="block truncate text-xs text-mute">{t('here')}</span>}
            </span>
            {id !== ownId && left > 0 && (
              <span className="tabular shrink-0 text-xs text-faint">{t('left', { count: left })}</span>
            )}
          </li>
        ))}
      </ul>
      {team.length === 1 && <p className="pt-2 text-sm text-mute">{t('alone')}</p>}
    </section>
  )
}

function Week({ week: { answered, answeredWithinGoal, medianMinutes } }: { week: WeekFigures }) {
  const t = useTranslations('day.week')
  const format = useFormatter()
  const formatDuration = (totalMinutes: number) => {
    const { days, hours, minutes } = splitDuration(totalMinutes)
    if (days > 0) return t('days', { days })
    if (hours === 0) return t('minutes', { minutes })
    return minutes === 0 ? t('hours', { hours }) : t('hoursMinutes', { hours, minutes })
  }
  const figures = [
    [t('answered'), format.number(answered)],
    [t('within'), answeredWithinGoal === null ? null : format.number(answeredWithinGoal, { style: 'percent' })],
    [t('median'), medianMinutes === null ? null : formatDuration(medianMinutes)],
  ] as const
  return (
    <section aria-labelledby="day-week">
      <SectionHeading id="day-week" text={t('title')} />
      {answered === 0 ? (
        <p className="text-sm text-mute">{t('none')}</p>
      ) : (
        <dl className="flex flex-col gap-2 text-sm">
          {figures.map(
            ([name, value]) =>
              value !== null && (
                <div key={name} className="flex items-baseline justify-between gap-4">
                  <dt className="text-mute">{name}</dt>
                  <dd className="tabular font-semibold">{value}</dd>
                </div>
              ),
          )}
        </dl>
      )}
    </section>
  )
}
