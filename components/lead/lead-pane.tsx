'use client'

import { CloudOff, FileX2, MousePointerClick } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { useEffect, useRef } from 'react'
import type { ListDescription } from '@/components/inbox/lists'
import { Button } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Kbd } from '@/components/ui/kbd'
import type { LeadItem } from '@/lib/api/lead-page'
import { LeadBody } from './lead-body'
import { LeadSkeleton } from './lead-skeleton'
import { LeadToolbar } from './lead-toolbar'
import { useLead, type LeadState } from './use-lead'

type LeadPaneProps = {
  description: ListDescription
  id: string | null
  /** The lead as the list has it, while it is among the loaded rows. */
  listed: LeadItem | undefined
  onPrevious: (() => void) | undefined
  onNext: (() => void) | undefined
  onClose: () => void
}

/** The open lead: the last pane on a desk, the whole screen on a phone. */
export function LeadPane({ description, id, listed, ...toolbar }: LeadPaneProps) {
  const t = useTranslations('lead')
  const state = useLead(description, id, listed)
  const pane = useRef<HTMLElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  useEffect(() => {
    scroller.current?.scrollTo({ top: 0 })
    // On a phone the list is gone from sight, so the focus must not stay in it.
    if (id !== null && pane.current?.matches('[data-covers]') && isOnePane())
      pane.current.focus({ preventScroll: true })
  }, [id])
  return (
    <section
      ref={pane}
      tabIndex={-1}
      aria-label={t('region')}
      data-covers={id === null ? undefined : ''}
      className="fixed inset-0 z-30 hidden min-h-0 min-w-0 flex-col bg-bg pt-[env(safe-area-inset-top)] outline-none data-covers:flex desk:static desk:flex desk:pt-0"
    >
      {id !== null && (
        <LeadToolbar description={description} item={state.is === 'there' ? state.item : undefined} {...toolbar} />
      )}
      <div ref={scroller} className="scroll-thin min-h-0 flex-1 overflow-y-auto overscroll-contain">
        <Content state={state} onClose={toolbar.onClose} />
      </div>
    </section>
  )
}

function Content({ state, onClose }: { state: LeadState; onClose: () => void }) {
  const t = useTranslations('lead')
  const common = useTranslations('common')
  switch (state.is) {
    case 'there':
      return <LeadBody key={state.item.id} item={state.item} />
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
    case 'none':
      return (
        <div className="grid h-full place-items-center">
          <EmptyState icon={<MousePointerClick />} title={t('pick')}>
            <p className="touch:hidden">{t.rich('pickHint', { kbd: (key) => <Kbd>{key}</Kbd> })}</p>
          </EmptyState>
        </div>
      )
    default:
      return state satisfies never
  }
}

function isOnePane(): boolean {
  return !window.matchMedia('(width >= 60rem)').matches
}
