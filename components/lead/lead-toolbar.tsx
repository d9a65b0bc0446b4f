'use client'

import { ArrowLeft, ChevronDown, ChevronUp, X } from 'lucide-react'
import { useTranslations } from 'next-intl'
import type { ListDescription } from '@/components/inbox/lists'
import { IconButton } from '@/components/ui/icon-button'
import type { LeadItem } from '@/lib/api/lead-page'
import { StatusMenu } from './status-menu'
import { useSetStatus } from './use-set-status'

type LeadToolbarProps = {
  description: ListDescription
  item: LeadItem | undefined
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
  onClose: () => void
}

export function LeadToolbar({ description, item, onPrevious, onNext, onClose }: LeadToolbarProps) {
  const t = useTranslations('lead')
  const setStatus = useSetStatus(description)
  return (
    <div className="flex h-13 shrink-0 items-center gap-1 border-b border-line-soft bg-panel px-2 desk:px-5">
      <span className="desk:hidden">
        <IconButton label={t('back')} onClick={onClose}>
          <ArrowLeft aria-hidden />
        </IconButton>
      </span>
      {item !== undefined && (
        <StatusMenu status={item.triage.status} onStatus={(status) => setStatus({ item, status })} />
      )}
      <span className="flex-1" />
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
    </div>
  )
}
