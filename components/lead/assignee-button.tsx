'use client'

import { UserRoundPlus } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Avatar } from '@/components/ui/avatar'
import { buttonClass } from '@/components/ui/button-class'
import type { LeadItem } from '@/lib/api/lead-page'
import type { Decide } from './open-lead'

/** Who looks after the lead; a press opens the choice. */
export function AssigneeButton({ item, onAssign }: { item: LeadItem; onAssign: Decide['onAssign'] }) {
  const t = useTranslations('lead')
  const { assignee } = item.triage
  return (
    <button
      type="button"
      aria-keyshortcuts="a"
      aria-label={assignee === null ? t('assign') : t('assignee', { name: assignee.name })}
      onClick={() => onAssign(item)}
      className={buttonClass({ variant: 'ghost', className: 'min-w-0' })}
    >
      {assignee === null ? <UserRoundPlus aria-hidden className="size-4" /> : <Avatar name={assignee.name} />}
      <span className="hidden max-w-36 truncate @2xl:inline">{assignee?.name ?? t('assign')}</span>
    </button>
  )
}
