'use client'

import { useLocale, useTranslations } from 'next-intl'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { useSchoolNames } from '@/components/inbox/use-school-names'
import { useToday } from '@/components/inbox/use-today'
import { Badge } from '@/components/ui/badge'
import { cn } from '@/components/ui/cn'
import { StatusDot } from '@/components/ui/status-dot'
import type { LeadItem } from '@/lib/api/lead-page'
import type { LeadKind } from '@/lib/contract/lead'
import { isQuestion } from '@/lib/inbox/lead-text'
import { dayAndTime, fullTime } from '@/lib/time/format-time'
import type { Bond } from './bond-between'
import { QuestionText } from './question-text'
import { useLeadHref } from './use-lead-href'

type TimelineEntryProps = {
  kind: LeadKind
  lead: LeadItem
  isCurrent?: boolean
  /** Why it stands here; null where there is nothing to explain. */
  bond: Bond | null
  /** Given where it differs from, or is missing in, what stands above. */
  name: string | null
  children?: ReactNode
}

/** One lead of a contact: what, where to, when, by whom, and why it is thought to be theirs. */
export function TimelineEntry({ kind, lead, isCurrent = false, bond, name, children }: TimelineEntryProps) {
  const t = useTranslations('contact')
  const common = useTranslations('common.status')
  const { status, assignee } = lead.triage
  return (
    <li
      aria-current={isCurrent || undefined}
      className={cn('relative pb-4 pl-5 last:pb-1', isCurrent && 'rounded-r-md')}
    >
      <span className="absolute top-0.75 -left-[0.5rem] rounded-full bg-bg p-px">
        <StatusDot status={status} label={common(status)} />
      </span>
      <div className="flex flex-wrap items-baseline gap-x-2.5 gap-y-0.5">
        <EntryTitle kind={kind} lead={lead} isCurrent={isCurrent} />
        {isCurrent && <Badge>{t('timeline.current')}</Badge>}
        <EntryTime at={lead.createdAt} />
      </div>
      {(name !== null || assignee !== null) && (
        <p className="mt-0.5 flex flex-wrap gap-x-2 text-sm text-mute">
          {name !== null && <bdi className="font-medium text-ink wrap-anywhere">{name}</bdi>}
          {assignee !== null && <span className="wrap-anywhere">{assignee.name}</span>}
        </p>
      )}
      {isQuestion(lead) && !isCurrent && (
        <div className="mt-1.5 border-l-2 border-line pl-3 text-sm text-mute">
          <QuestionText text={lead.question} isShort />
        </div>
      )}
      {bond !== null && (
        <p className="mt-1 text-xs text-mute">
          {t(`reason.${bond.sameName === false ? 'otherName' : 'same'}.${bond.by}`)}
        </p>
      )}
      {children}
    </li>
  )
}

function EntryTitle({ kind, lead, isCurrent }: { kind: LeadKind; lead: LeadItem; isCurrent: boolean }) {
  const t = useTranslations('contact.timeline')
  const schools = useSchoolNames()
  const href = useLeadHref(kind, lead.id)
  const words = t(isQuestion(lead) ? 'question' : 'declaration', { school: schools.of(lead) })
  if (isCurrent) return <span className="font-medium wrap-anywhere">{words}</span>
  return (
    <Link
      href={href}
      prefetch={false}
      className="rounded-xs font-medium wrap-anywhere decoration-line underline-offset-3 hover:text-accent hover:underline"
    >
      {words}
    </Link>
  )
}

function EntryTime({ at }: { at: string }) {
  const locale = useLocale()
  const today = useToday()
  const ms = Date.parse(at)
  const isKnown = !Number.isNaN(ms)
  return (
    <time
      dateTime={at}
      title={isKnown ? fullTime(ms, locale) : undefined}
      suppressHydrationWarning
      className="tabular ml-auto text-xs text-faint"
    >
      {isKnown ? dayAndTime(ms, today, locale) : at}
    </time>
  )
}
