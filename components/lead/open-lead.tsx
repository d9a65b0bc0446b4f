'use client'

import { CloudOff, FileX2 } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import type { LeadKind } from '@/lib/contract/lead'
import { LeadBody } from './lead-body'
import type { LeadPaneProps } from './lead-pane'
import { LeadSkeleton } from './lead-skeleton'
import { LeadToolbar } from './lead-toolbar'
import { ThumbBar } from './thumb-bar'
import { useLead, type LeadState } from './use-lead'

export type Decide = Pick<LeadPaneProps, 'onStatus' | 'onAssign'>

/** Toolbar, the lead itself, and on a phone what can be done with it within a thumb's reach. */
export function OpenLead({ id, description, listed, ...rest }: LeadPaneProps & { id: string }) {
  const { onPrevious, onNext, onClose, onStatus, onAssign } = rest
  const state = useLead(description, id, listed)
  const item = state.is === 'there' ? state.item : undefined
  const decide = { onStatus, onAssign }
  const { kind } = description
  return (
    <>
      <LeadToolbar lead={{ kind, id }} item={item} decide={decide} move={{ onPrevious, onNext, onClose }} />
      {/* A new one for each lead: read from its top, with nothing unfolded or half written for another. */}
      <div
        key={`lead ${kind} ${id}`}
        className="@container scroll-thin min-h-0 flex-1 overflow-y-auto overscroll-contain"
      >
        <Content state={state} kind={kind} onClose={onClose} />
      </div>
      {item !== undefined && <ThumbBar key={`bar ${kind} ${id}`} item={item} decide={decide} />}
    </>
  )
}

function Content({ state, kind, onClose }: { state: LeadState; kind: LeadKind; onClose: () => void }) {
  const t = useTranslations('lead')
  const common = useTranslations('common')
  switch (state.is) {
    case 'there':
      return <LeadBody kind={kind} item={state.item} />
    case 'none':
    case 'loading':
      return <LeadSkeleton />
    case 'gone':
      return (
        <EmptyState icon={<FileX2 />} title={t('gone')} action={<Button onClick={onClose}>{t('back')}</Button>}>
          {t('goneHint')}
        </EmptyState>
      )
    case 'failed':
      return (
        <EmptyState
          icon={<CloudOff />}
          title={t('failed')}
          action={<Button onClick={state.retry}>{common('tryAgain')}</Button>}
        />
      )
    default:
      return state satisfies never
  }
}
