import { Check, Clock, type LucideIcon, Mail, Phone, StickyNote, UserRound } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useToday } from '@/components/app/clock'
import { cn } from '@/components/ui/cn'
import type { LeadEvent } from '@/lib/contract/notes'
import { fullTime } from '@/lib/time/format-date'
import { dayAndTime, shortDay } from '@/lib/time/format-time'

export function LeadEventLine({ event }: { event: LeadEvent }) {
  const t = useTranslations('contact.history')
  const notes = useTranslations('contact.notes')
  const locale = useLocale()
  const by = event.by?.name ?? notes('formerColleague')
  const says = (): string => {
    switch (event.what) {
      case 'status':
        return t(`status.${event.to}`, { by })
      case 'assignee':
        if (event.to === null) return t('unassigned', { by })
        return event.to.id === event.by?.id ? t('taken', { by }) : t('assigned', { by, to: event.to.name })
      case 'snooze':
        return event.until === null ? t('back', { by }) : t('aside', { by, day: shortDay(event.until, locale) })
      case 'attempt':
        return t(`attempt.${event.outcome}`, { by, channel: event.channel })
      case 'note':
      case 'note-deleted':
        return t(event.what, { by })
      default:
        return event satisfies never
    }
  }
  const Icon = event.what === 'attempt' && event.channel === 'email' ? Mail : ICONS[event.what]
  const isUndone = 'undone' in event && event.undone === true
  return (
    <HistoryLine icon={<Icon className="size-3.5" />}>
      <span className={cn('wrap-anywhere', isUndone && 'line-through decoration-faint')}>{says()}</span>
      {isUndone && <span>{t('undone')}</span>}
      <Moment at={event.at} />
    </HistoryLine>
  )
}

const ICONS = {
  status: Check,
  assignee: UserRound,
  snooze: Clock,
  attempt: Phone,
  note: StickyNote,
  'note-deleted': StickyNote,
} as const satisfies Record<LeadEvent['what'], LucideIcon>

export function HistoryLine({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="flex min-h-6 items-baseline gap-2.5 px-3.5 text-sm text-mute touch:min-h-11 touch:items-center">
      <span className="shrink-0 self-center text-faint">{icon}</span>
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-2">{children}</span>
    </li>
  )
}

/** `isPlain`: as the text around it. */
export function Moment({ at, isPlain = false }: { at: string; isPlain?: boolean }) {
  const locale = useLocale()
  const ms = Date.parse(at)
  return (
    <time
      dateTime={at}
      title={fullTime(ms, locale)}
      suppressHydrationWarning
      className={isPlain ? undefined : 'tabular text-xs text-faint'}
    >
      {dayAndTime(ms, useToday(), locale)}
    </time>
  )
}
