'use client'

import { CalendarCheck, Inbox, School } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useRef } from 'react'
import { useDayAndTime, useMinute } from '@/components/browser/clock'
import { useCommands } from '@/components/desk/commands'
import { useCurrentUser } from '@/components/desk/current-user'
import { feedState } from '@/components/desk/feed-state'
import { useIsListMissing, useStatus } from '@/components/desk/feed-status'
import { NoDataYet } from '@/components/desk/no-data-yet'
import { useSchoolFilter } from '@/components/desk/schools'
import { useDay } from '@/components/triage/use-day'
import { EmptyState } from '@/components/ui/empty-state'
import { LoadFailure } from '@/components/ui/load-failure'
import { Skeleton } from '@/components/ui/loading'
import { Notice } from '@/components/ui/notice'
import { ApiError } from '@/lib/api/send'
import type { Day } from '@/lib/contract/day'
import { LEAD_LISTS } from '@/lib/contract/lists'
import { firstNameOf, greetingAt, nextQueue } from '@/lib/inbox/queues'
import { formatDate } from '@/lib/time/format-time'
import { DayPlan } from './day-plan'
import { SeasonStrip } from './season-strip'
import { Team, Week } from './team'

export function DayScreen() {
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
      <DayContent />
    </div>
  )
}

function DayContent() {
  const [schools] = useSchoolFilter()
  const { data: day, error, refetch } = useDay(schools)
  if (day === undefined) return <NoDay error={error} onRetry={refetch} />
  if (!day.hasSchools) return <Nothing is="noSchools" isScreen />
  return (
    <div className="@container">
      <Greeting day={day} />
      <Old isCutOff={error !== null} />
      <SeasonStrip season={day.season} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-x-9 gap-y-7 @4xl:grid-cols-[minmax(0,1.7fr)_minmax(15rem,1fr)]">
        <div className="flex flex-col gap-4">
          {day.leads === 0 && <Nothing is="noLeads" isScreen={false} />}
          {day.leads > 0 && nextQueue(day, null) === null && <Done />}
          <DayPlan day={day} schools={schools} />
        </div>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-7 @lg:grid-cols-2 @4xl:grid-cols-1">
          <Team day={day} />
          <Week week={day.week} />
        </div>
      </div>
    </div>
  )
}

function Done() {
  const t = useTranslations('day.done')
  return (
    <div className="flex items-center gap-4 rounded-lg border border-line bg-panel px-5 py-4 shadow-card">
      <span className="grid size-10 shrink-0 place-items-center rounded-full bg-status-handled text-panel">
        <CalendarCheck className="size-5" strokeWidth={2} />
      </span>
      <div className="min-w-0">
        <h2 className="text-lg font-semibold">{t('title')}</h2>
        <p className="text-sm text-pretty text-mute">{t('all')}</p>
      </div>
    </div>
  )
}

function Greeting({ day: { since } }: { day: Day }) {
  const t = useTranslations('day')
  const locale = useLocale()
  const user = useCurrentUser()
  const moment = useDayAndTime()
  const now = useMinute()
  const date = formatDate(now, { weekday: 'long', day: 'numeric', month: 'long' }, locale)
  const when = since === null ? t('firstTime') : t('lastHere', { when: moment(since) })
  return (
    <header className="pb-4.5">
      <h1 suppressHydrationWarning className="text-xl font-semibold text-balance">
        {t(`greeting.${greetingAt(now)}`, { name: firstNameOf(user?.name ?? '') })}
      </h1>
      <p suppressHydrationWarning className="text-pretty text-mute first-letter:uppercase">
        {date} · {when}
      </p>
    </header>
  )
}

function Old({ isCutOff }: { isCutOff: boolean }) {
  const t = useTranslations()
  const moment = useDayAndTime()
  const { data: status } = useStatus()
  const state = status && feedState(status, Date.parse(status.now))
  const lateMs = state?.kind === 'late' && status ? Date.parse(status.now) - state.ageMs : null
  if (!isCutOff && lateMs === null) return null
  return (
    <Notice size="sm" role="status" className="mb-4">
      {isCutOff || lateMs === null ? t('status.unreachable') : t('inbox.asOf', { when: moment(lateMs) })}
    </Notice>
  )
}

const icons = { noSchools: School, noLeads: Inbox }

function Nothing({ is, isScreen }: { is: keyof typeof icons; isScreen: boolean }) {
  const t = useTranslations('day')
  const Icon = icons[is]
  return <EmptyState icon={<Icon />} isScreen={isScreen} title={t(`${is}.title`)} hint={t(`${is}.body`)} />
}

function NoDay({ error, onRetry }: { error: unknown; onRetry: () => unknown }) {
  const t = useTranslations()
  const isNothingYet = useIsListMissing(LEAD_LISTS)
  const isNotReady = error instanceof ApiError && error.kind === 'not-ready'
  if (isNothingYet ?? isNotReady) return <NoDataYet lists={LEAD_LISTS} isScreen />
  if (error !== null) {
    return (
      <div className="grid min-h-60 place-items-center">
        <h1 className="sr-only">{t('day.title')}</h1>
        <LoadFailure onRetry={onRetry} />
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <h1 className="sr-only">{t('day.title')}</h1>
      <output className="sr-only">{t('common.loading')}</output>
      <Skeleton className="h-7 w-56" />
      <Skeleton className="h-4 w-72" />
      <Skeleton className="h-20 w-full rounded-lg" />
      <Skeleton className="h-105 w-full rounded-lg" />
    </div>
  )
}
