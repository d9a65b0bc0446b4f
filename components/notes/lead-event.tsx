import { Check, Clock, type LucideIcon, Mail, Phone, StickyNote, UserRound } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { useToday } from '@/components/browser/clock'
import { cn } from '@/components/ui/cn'
import type { LeadEvent } from '@/lib/contract/notes'
import { fullTime } from '@/lib/time/format-date'
import { dayAndTime, shortDay } from '@/lib/time/format-time'

export function LeadEventLine({ event }: { event: LeadEvent }) {
  const t = useTranslations('contact.history')
  const notes = useTranslations('contact.notes')
  const locale = useLocale()
  const says = (): string => {
    const by = event.by?.name ?? notes('formerColleague')
    switch (event.what) {
      case 'status':
        return t(`status.${event.to}`, { by })
      case 'assignee': {
        if (event.to === null) return t('unassigned', { by })
        return event.to.id === event.by?.id ? t('taken', { by }) : t('assigned', { by, to: event.to.name })
      }
      case 'snooze':
        return event.until === null ? t('back', { by }) : t('aside', { by, day: shortDay(event.until, locale) })
      case 'attempt':
        return t(`attempt.${event.outcome}`, { by, channel: event.channel })
      case 'note':
        return t('note', { by })
      case 'note-deleted':
        return t('noteDeleted', { by })
      default:
        return event satisfies never
    }
  }
  const Icon = event.what === 'attempt' && event.channel === 'email' ? Mail : ICONS[event.what]
  const isUndone = 'undone' in event && event.undone === true
  return (
    <li className="flex items-baseline gap-2.5 px-3.5 text-sm text-mute">
      <Icon className="size-3.5 shrink-0 self-center text-faint" />
      <span className="min-w-0">
        <span className={cn('wrap-anywhere', isUndone && 'line-through decoration-faint')}>{says()}</span>
        {isUndone && <span> · {t('undone')}</span>}
        <span> </span>
        <Moment at={event.at} />
      </span>
    </li>
  )
}

/** `isPlain`: as the text around it. */
export function Moment({ at, isPlain = false }: { at: string; isPlain?: boolean }) {
  const locale = useLocale()
  const today = useToday()
  const ms = Date.parse(at)
  const isKnown = !Number.isNaN(ms)
  return (
    <time
      dateTime={at}
      title={isKnown ? fullTime(ms, locale) : undefined}
      suppressHydrationWarning
      className={isPlain ? undefined : 'tabular text-xs text-faint'}
    >
      {isKnown ? dayAndTime(ms, today, locale) : at}
    </time>
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
