'use client'

import { ArrowLeft, ChevronDown, ChevronUp, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { IconButton } from '@/components/ui/icon-button'
import type { LeadItem } from '@/lib/api/lead-page'
import type { LeadRef } from '@/lib/contract/lead'
import { AssigneeButton } from './assignee-button'
import type { Decide } from './open-lead'
import { Presence } from './presence'
import { QuickActions } from './quick-actions'
import { StatusMenu } from './status-menu'

type Move = { onPrevious: (() => void) | undefined; onNext: (() => void) | undefined; onClose: () => void }
type LeadToolbarProps = { lead: LeadRef; item: LeadItem | undefined; decide: Decide; move: Move }

/** On a phone the decisions stand below, in the thumb bar. */
export function LeadToolbar({ lead, item, decide, move }: LeadToolbarProps) {
  const t = useTranslations('lead')
  return (
    <div className="@container shrink-0 border-b border-line-soft bg-panel">
      <div className="flex h-13 items-center gap-1.5 px-2 desk:px-5">
        <span className="desk:hidden">
          <IconButton label={t('back')} onClick={move.onClose}>
            <ArrowLeft aria-hidden />
          </IconButton>
        </span>
        {item !== undefined && (
          <>
            <StatusMenu status={item.triage.status} onStatus={(status) => decide.onStatus(item, status)} />
            <span className="hidden items-center gap-1.5 desk:flex">
              <QuickActions item={item} onStatus={decide.onStatus} />
              <AssigneeButton item={item} onAssign={decide.onAssign} />
            </span>
          </>
        )}
        <span className="min-w-0 flex-1" />
        <Presence lead={lead} isThere={item !== undefined} />
        <Moves {...move} />
      </div>
    </div>
  )
}

function Moves({ onPrevious, onNext, onClose }: Move) {
  const t = useTranslations('lead')
  return (
    <span className="flex shrink-0 items-center">
      <IconButton label={t('previous')} shortcut="k" disabled={onPrevious === undefined} onClick={onPrevious}>
        <ChevronUp aria-hidden />
      </IconButton>
      <IconButton label={t('next')} shortcut="j" disabled={onNext === undefined} onClick={onNext}>
        <ChevronDown aria-hidden />
      </IconButton>
      <span className="hidden desk:inline">
        <IconButton label={t('close')} shortcut="Escape" onClick={onClose}>
          <X aria-hidden />
        </IconButton>
      </span>
    </span>
  )
}
