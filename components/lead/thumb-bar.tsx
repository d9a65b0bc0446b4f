import { Check, CircleDashed, Phone, UserRoundPlus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { MailAction } from '@/components/contact/mail-action'
import { Avatar } from '@/components/ui/avatar'
import { cn } from '@/components/ui/cn'
import type { LeadItem } from '@/lib/api/leads'
import { toE164 } from '@/lib/contacts/phone'
import { contactOf } from '@/lib/inbox/lead-text'
import type { LeadDecisions } from './lead-toolbar'

/** What is done with a lead on a phone, along the lower edge. */
export function ThumbBar({ item, decide }: { item: LeadItem; decide: LeadDecisions }) {
  const t = useTranslations('lead')
  const { status, assignee } = item.triage
  const { email, phone } = contactOf(item)
  const number = phone === null ? null : toE164(phone)
  const { onStatus, onAssign } = decide
  return (
    <div
      role="group"
      aria-label={t('actions')}
      className="grid shrink-0 auto-cols-fr grid-flow-col border-t border-line bg-panel pb-[env(safe-area-inset-bottom)] desk:hidden"
    >
      <StatusEntry
        isCurrent={status === 'handled'}
        status="handled"
        icon={<Check />}
        onStatus={() => onStatus(item, 'handled')}
      />
      <StatusEntry
        isCurrent={status === 'in-progress'}
        status="in-progress"
        icon={<CircleDashed />}
        onStatus={() => onStatus(item, 'in-progress')}
      />
      <button
        type="button"
        aria-label={assignee === null ? t('assign') : t('assignee', { name: assignee.name })}
        onClick={() => onAssign(item)}
        className={entryClass}
      >
        {assignee === null ? <UserRoundPlus aria-hidden /> : <Avatar name={assignee.name} />}
        <span className="w-full truncate px-1 text-center">{assignee?.name ?? t('assign')}</span>
      </button>
      {email !== null && <MailAction item={item} email={email} className={entryClass} isThumb />}
      {number !== null && (
        <a href={`tel:${number}`} className={entryClass}>
          <Phone aria-hidden />
          {t('call')}
        </a>
      )}
    </div>
  )
}

const entryClass =
  'flex h-14 w-full min-w-0 flex-col items-center justify-center gap-1 text-2xs font-medium text-mute hover:text-ink disabled:opacity-45 [&>svg]:size-5'

type StatusEntryProps = { isCurrent: boolean; status: 'handled' | 'in-progress'; icon: ReactNode; onStatus: () => void }

function StatusEntry({ isCurrent, status, icon, onStatus }: StatusEntryProps) {
  const t = useTranslations('common.status')
  return (
    <button
      type="button"
      disabled={isCurrent}
      onClick={onStatus}
      className={cn(entryClass, status === 'handled' && '[&>svg]:text-accent')}
    >
      {icon}
      {t(status)}
    </button>
  )
}
