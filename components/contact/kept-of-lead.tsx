import { useFormatter, useTranslations } from 'next-intl'
import { Moment } from '@/components/notes/lead-event'
import { ACTIVITY_ACTIONS } from '@/lib/contract/activity-actions'
import { LEAD_STATUSES } from '@/lib/contract/lists'
import type { KeptOfLead, StaffMember } from '@/lib/contract/rights'

/** What the staff have added to a lead, and who has looked, newest first. What the service says stands above on the page. */
export function KeptLines({ lead }: { lead: KeptOfLead }) {
  const t = useTranslations('rights.kept')
  const nameOf = useStaffName()
  const lines = useLines(lead)
  if (lines.length === 0) return <p className="pl-6.5 text-xs text-mute">{t('nothing')}</p>
  return (
    <details className="pl-6.5 text-xs text-mute print:[&::details-content]:[content-visibility:visible]">
      <summary className="flex min-h-6 cursor-pointer items-center touch:min-h-11">
        {t('count', { count: lines.length })}
      </summary>
      <ul className="flex flex-col gap-1 pb-2">
        {lines.map(({ id, at, by, text }) => (
          <li key={id} className="wrap-anywhere whitespace-pre-wrap">
            <span className="text-ink">{text}</span> · {nameOf(by)} · <Moment at={at} />
          </li>
        ))}
      </ul>
    </details>
  )
}

type Line = { at: string; by: StaffMember; text: string }

function useLines({ triage, attempts, notes, exports, log }: KeptOfLead) {
  const t = useTranslations('rights.kept')
  const actions = useTranslations('activity.name')
  const statuses = useTranslations('common.status')
  const nameOf = useStaffName()
  const statusText = (text: string | null) => {
    const status = LEAD_STATUSES.find((one) => one === text)
    return status === undefined ? '' : statuses(status)
  }
  const decided = triage === null ? [] : [triage]
  const lines: Line[] = [
    ...decided.map(({ status, assignee, ...done }) => {
      const text = assignee === null ? t('status', { status: statuses(status) }) : ''
      return { ...done, text: text || t('assigned', { status: statuses(status), who: nameOf(assignee) }) }
    }),
    ...attempts.map(({ channel, outcome, ...done }) => {
      return { ...done, text: `${t(`channel.${channel}`)}: ${t(`outcome.${outcome}`)}` }
    }),
    ...notes.map(({ text, ...done }) => ({ ...done, text: t('note', { text }) })),
    ...exports.map(({ purpose, format, ...done }) => ({ ...done, text: t('export', { format, purpose }) })),
    ...log.map(({ action, from, to, ...done }) => {
      const known = ACTIVITY_ACTIONS.find((one) => one === action)
      const name = known === undefined ? action : actions(known)
      return { ...done, text: from === to ? name : `${name}: ${statusText(from)} → ${statusText(to)}` }
    }),
  ]
  // Two users may have opened it in one moment.
  return lines.map((line, id) => ({ ...line, id })).toSorted((a, b) => (a.at < b.at ? 1 : -1))
}

function useStaffName(): (staff: StaffMember) => string {
  const t = useTranslations('rights.kept')
  const roles = useTranslations('common.role')
  const format = useFormatter()
  return (staff) => {
    if (staff === null) return t('former')
    return [roles(staff.role), format.list(staff.schools)].filter((part) => part !== '').join(', ')
  }
}
