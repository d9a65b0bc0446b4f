'use client'

import { CalendarCheck, Inbox, School } from 'lucide-react'
import { useFormatter, useLocale, useTranslations } from 'next-intl'
import { useRef, useState } from 'react'
import { useDayAndTime, useMinute } from '@/components/app/clock'
import { useCommands } from '@/components/app/commands'
import { useCurrentUser } from '@/components/app/current-user'
import { feedState } from '@/components/app/feed-state'
import { useIsListMissing, useStatus } from '@/components/app/feed-status'
import { NoDataYet } from '@/components/app/no-data-yet'
import { useSchoolFilter } from '@/components/app/schools'
import { useDay } from '@/components/app/use-triage'
import { Avatar } from '@/components/ui/avatar'
import { EmptyState } from '@/components/ui/empty-state'
import { SectionHeading } from '@/components/ui/headings'
import { LoadFailure } from '@/components/ui/load-failure'
import { Skeleton } from '@/components/ui/loading'
import { Notice } from '@/components/ui/notice'
import { ApiError } from '@/lib/api/send'
import type { Day, WeekFigures } from '@/lib/contract/day'
import { LEAD_LISTS } from '@/lib/contract/lists'
import { firstNameOf, greetingAt, inLargestUnits, nextQueue } from '@/lib/inbox/queues'
import { formatDate } from '@/lib/time/format-time'
import { DayPlan } from './day-plan'
import { SeasonStrip } from './season-strip'

export function DayScreen() {
  const [schools] = useSchoolFilter()
  const { data: day, error, refetch } = useDay(schools)
  const screen = useRef<HTMLDivElement>(null)
  const links = () => [...(screen.current?.querySelectorAll<HTMLElement>('[data-day-line]') ?? [])]
  const move = (step: 1 | -1) => () => {
    const all = links()
    const at = all.findIndex((link) => link === document.activeElement)
    const next = at === -1 ? (step === 1 ? 0 : all.length - 1) : at + step
    all[Math.min(all.length - 1, Math.max(0, next))]?.focus()
  }
  useCommands({ next: move(1), previous: move(-1), open: () => links()[0]?.click() })
  return (
    <div ref={screen} className="mx-auto w-full max-w-295 px-4 pt-5 pb-10 desk:px-8 desk:pt-7">
      {day === undefined ? (
        <NoDay error={error} onRetry={refetch} />
      ) : (
        <DayContent day={day} schools={schools} isCutOff={error !== null} />
      )}
    </div>
  )
}

type DayContentProps = { day: Day; schools: readonly string[]; isCutOff: boolean }

function DayContent({ day, schools, isCutOff }: DayContentProps) {
  const t = useTranslations('day')
  const common = useTranslations()
  const locale = useLocale()
  const user = useCurrentUser()
  const moment = useDayAndTime()
  const now = useMinute()
  const { data: status } = useStatus()
  if (!day.hasSchools)
    return <EmptyState icon={<School />} isScreen title={t('noSchools.title')} hint={t('noSchools.body')} />
  const date = formatDate(now, { weekday: 'long', day: 'numeric', month: 'long' }, locale)
  const state = status && feedState(status, Date.parse(status.now))
  const lateMs = state?.kind === 'late' && status ? Date.parse(status.now) - state.ageMs : null
  const first = nextQueue(day, null)
  return (
    <div className="@container">
      <header className="pb-4.5">
        <h1 suppressHydrationWarning className="text-xl font-semibold text-balance">
          {t(`greeting.${greetingAt(now)}`, { name: firstNameOf(user?.name ?? '') })}
        </h1>
        <p suppressHydrationWarning className="text-pretty text-mute first-letter:uppercase">
          {date} · {day.since === null ? t('firstTime') : t('lastHere', { when: moment(day.since) })}
        </p>
      </header>
      {(isCutOff || lateMs !== null) && (
        <Notice size="sm" role="status" className="mb-4">
          {isCutOff || lateMs === null ? common('status.unreachable') : common('inbox.asOf', { when: moment(lateMs) })}
        </Notice>
      )}
      <SeasonStrip season={day.season} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-9 gap-y-7 @4xl:grid-cols-[minmax(0,1.7fr)_minmax(15rem,1fr)]">
        <div className="flex flex-col gap-4">
          {day.leads === 0 && <EmptyState icon={<Inbox />} title={t('noLeads.title')} hint={t('noLeads.body')} />}
          {day.leads > 0 && first === null && (
            <div className="flex items-center gap-4 rounded-lg border border-line bg-panel px-5 py-4 shadow-card">
              <span className="grid size-10 shrink-0 place-items-center rounded-full bg-status-handled text-panel">
                <CalendarCheck className="size-5" strokeWidth={2} />
              </span>
              <div className="min-w-0">
                <h2 className="text-lg font-semibold">{t('done.title')}</h2>
                <p className="text-sm text-pretty text-mute">{t('done.all')}</p>
              </div>
            </div>
          )}
          {first !== null && <DayPlan first={first} day={day} schools={schools} />}
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-7 @lg:grid-cols-2 @4xl:grid-cols-1">
          <Team day={day} />
          <Week week={day.week} />
        </div>
      </div>
    </div>
  )
}

function NoDay({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  const t = useTranslations()
  const isNothingYet = useIsListMissing(LEAD_LISTS)
  const isNotReady = error instanceof ApiError && error.kind === 'not-ready'
  if (isNothingYet ?? isNotReady) return <NoDataYet lists={LEAD_LISTS} isScreen />
  return (
    <div className="flex flex-col gap-4">
      <h1 className="sr-only">{t('day.title')}</h1>
      {error !== null ? (
        <LoadFailure onRetry={onRetry} className="my-20 self-center" />
      ) : (
        <>
          <output className="sr-only">{t('common.loading')}</output>
          <Skeleton className="h-7 w-56" />
          <Skeleton className="h-4 w-72" />
          <Skeleton className="h-20 w-full rounded-lg" />
          <Skeleton className="h-105 w-full rounded-lg" />
        </>
      )}
    </div>
  )
}

const SHOWN = 6

function Team({ day: { team } }: { day: Day }) {
  const t = useTranslations('day.team')
  const [isAll, setAll] = useState(false)
  const me = useCurrentUser()?.id
  const known = team.filter((person) => person.id === me || person.left > 0 || person.here !== null)
  const shown = isAll ? known : known.slice(0, SHOWN)
  return (
    <section aria-labelledby="day-team">
      <SectionHeading id="day-team" text={t('title')} />
      <ul className="flex flex-col gap-3">
        {shown.map(({ id, name, here, left }) => (
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
              <span className="block truncate font-medium">{id === me ? t('you') : name}</span>
              {here !== null && <span className="block truncate text-xs text-mute">{t('here')}</span>}
            </span>
            {id !== me && left > 0 && (
              <span className="tabular shrink-0 text-xs text-faint">{t('left', { count: left })}</span>
            )}
          </li>
        ))}
      </ul>
      {team.length === 1 && <p className="pt-2 text-sm text-mute">{t('alone')}</p>}
      {known.length > shown.length && (
        <button
          type="button"
          onClick={() => setAll(true)}
          className="mt-2 rounded-sm py-1 text-sm text-mute underline decoration-line underline-offset-3 hover:text-ink touch:min-h-11"
        >
          {t('more', { count: known.length - shown.length })}
        </button>
      )}
    </section>
  )
}

function Week({ week: { answered, answeredWithinGoal, medianMinutes } }: { week: WeekFigures }) {
  const t = useTranslations('day.week')
  const format = useFormatter()
  /** `35 min`, `5 tim 40 min`, `3 dagar`. */
  const timeText = (all: number) => {
    const { days, hours, minutes } = inLargestUnits(all)
    if (days > 0) return t('days', { days })
    if (hours === 0) return t('minutes', { minutes })
    return minutes === 0 ? t('hours', { hours }) : t('hoursMinutes', { hours, minutes })
  }
  const percent = { style: 'percent', maximumFractionDigits: 0 } as const
  const figures = [
    { name: t('answered'), value: String(answered) },
    { name: t('within'), value: answeredWithinGoal !== null && format.number(answeredWithinGoal, percent) },
    { name: t('median'), value: medianMinutes !== null && timeText(medianMinutes) },
  ]
  return (
    <section aria-labelledby="day-week">
      <SectionHeading id="day-week" text={t('title')} />
      {answered === 0 ? (
        <p className="text-sm text-mute">{t('none')}</p>
      ) : (
        <dl className="flex flex-col gap-2 text-sm">
          {figures
            .filter(({ value }) => value !== false)
            .map(({ name, value }) => (
              <div key={name} className="flex items-baseline justify-between gap-4">
                <dt className="text-mute">{name}</dt>
                <dd className="tabular font-semibold">{value}</dd>
              </div>
            ))}
        </dl>
      )}
    </section>
  )
}
