'use client'

import { Check, CircleDashed, Phone, UserRoundPlus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { MailAction } from '@/components/contact/mail-action'
import { Avatar } from '@/components/ui/avatar'
import { cn } from '@/components/ui/cn'
import type { LeadItem } from '@/lib/api/lead-page'
import { contactOf } from '@/lib/inbox/lead-text'
import { toE164 } from '@/lib/phone/to-e164'
import type { Decide } from './open-lead'

const entry =
  'flex h-14 w-full min-w-0 flex-col items-center justify-center gap-1 text-2xs font-medium text-mute hover:text-ink disabled:opacity-45 [&>svg]:size-5'

/** What is done with a lead on a phone, along the lower edge. */
export function ThumbBar({ item, decide }: { item: LeadItem; decide: Decide }) {
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
        isSo={status === 'handled'}
        status="handled"
        icon={<Check />}
        onStatus={() => onStatus(item, 'handled')}
      />
      <StatusEntry
        isSo={status === 'in-progress'}
        status="in-progress"
        icon={<CircleDashed />}
        onStatus={() => onStatus(item, 'in-progress')}
      />
      <button
        type="button"
        aria-label={assignee === null ? t('assign') : t('assignee', { name: assignee.name })}
        onClick={() => onAssign(item)}
        className={entry}
      >
        {assignee === null ? <UserRoundPlus aria-hidden /> : <Avatar name={assignee.name} />}
        <span className="w-full truncate px-1 text-center">{assignee?.name ?? t('assign')}</span>
      </button>
      {email !== null && <MailAction item={item} email={email} className={entry} isThumb />}
      {number !== null && (
        <a href={`tel:${number}`} className={entry}>
          <Phone aria-hidden />
          {t('call')}
        </a>
      )}
    </div>
  )
}

type StatusEntryProps = { isSo: boolean; status: 'handled' | 'in-progress'; icon: ReactNode; onStatus: () => void }

function StatusEntry({ isSo, status, icon, onStatus }: StatusEntryProps) {
  const t = useTranslations('common.status')
  return (
    <button
      type="button"
      disabled={isSo}
      onClick={onStatus}
      className={cn(entry, status === 'handled' && '[&>svg]:text-accent')}
    >
      {icon}
      {t(status)}
    </button>
  )
}
