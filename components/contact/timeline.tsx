import { useTranslations } from 'next-intl'
import { usePathname, useSearchParams } from 'next/navigation'
import type { ReactNode } from 'react'
import { DeskLink } from '@/components/app/navigate'
import { useSchoolNames } from '@/components/app/schools'
import { Moment } from './lead-event'
import { StatusDot } from '@/components/app/status-dot'
import type { LeadItem } from '@/lib/api/leads'
import type { ContactLead, LeadKind } from '@/lib/contract/lead'
import { LISTS_BY_KIND } from '@/lib/contract/lists'
import { isQuestion, nameOf } from '@/lib/inbox/lead-text'
import type { Connection } from './person'
import { QuestionText } from './question-text'

type TimelineEntryProps = { found: ContactLead; connection: Connection | undefined; children?: ReactNode }

/** One of a person's leads, with its name and why it belongs where the name is another. */
export function TimelineEntry({ found: { kind, lead }, connection, children }: TimelineEntryProps) {
  const t = useTranslations('contact')
  const common = useTranslations('common.status')
  const { status, assignee } = lead.triage
  return (
    <li className="flex gap-2.5 px-3.5 py-1">
      <span className="pt-0.5 touch:pt-3">
        <StatusDot status={status} label={common(status)} kind={kind} />
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-baseline gap-x-2.5 gap-y-0.5">
          <LeadTitle kind={kind} lead={lead} />
          <Moment at={lead.createdAt} />
        </div>
        {connection?.sameName === false && (
          <p className="mt-0.5 text-sm wrap-anywhere">
            <bdi className="font-medium">{nameOf(lead)}</bdi>
            <span className="block text-xs text-mute">{t(`otherName.${connection.by}`)}</span>
          </p>
        )}
        {assignee !== null && (
          <p className="mt-0.5 text-xs wrap-anywhere text-mute">{t('timeline.responsible', { name: assignee.name })}</p>
        )}
        {isQuestion(lead) && (
          <div className="mt-1.5 text-sm text-mute">
            <QuestionText text={lead.question} isShort />
          </div>
        )}
        {children}
      </div>
    </li>
  )
}

/** The link to the lead keeps the filters if its list is the one on screen. */
export function LeadTitle({ kind, lead }: { kind: LeadKind; lead: LeadItem }) {
  const t = useTranslations('contact.timeline')
  const schools = useSchoolNames()
  const path = LISTS_BY_KIND[kind].href
  const current = useSearchParams()
  const search = new URLSearchParams(usePathname() === path ? current : undefined)
  search.set('lead', lead.id)
  return (
    <DeskLink
      href={`${path}?${search}`}
      className="rounded-xs font-medium wrap-anywhere touch:min-h-11 touch:content-center decoration-line underline-offset-3 hover:text-accent hover:underline"
    >
      {t(isQuestion(lead) ? 'question' : 'declaration', { school: schools.of(lead) })}
    </DeskLink>
  )
}
