import { MousePointerClick } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useRef } from 'react'
import { isWide } from '@/components/browser/screen-width'
import { lazyPart } from '@/components/desk/lazy-part'
import { triageCode } from '@/components/triage/use-triage'
import { EmptyState } from '@/components/ui/empty-state'
import { focusAgain } from '@/components/ui/focus-return'
import { Kbd } from '@/components/ui/kbd'
import { LeadSkeleton } from './lead-skeleton'
import type { OpenLeadProps } from './open-lead'

type LeadPaneProps = Omit<OpenLeadProps, 'id'> & {
  id: string | null
  /** What stands here while no lead is open, if it is more than that none is. */
  instead: ReactNode
}

/** The open lead: the last pane on a desk, the whole screen on a phone. */
export function LeadPane({ id, instead, ...props }: LeadPaneProps) {
  const t = useTranslations('lead')
  const pane = useRef<HTMLElement>(null)
  useEffect(() => {
    if (id === null) return
    // In a low window the pane itself scrolls, and each lead is read from its top.
    pane.current?.scrollTo({ top: 0 })
    // On a phone the list is gone from sight, so the focus must not stay in it.
    if (!isWide()) pane.current?.focus({ preventScroll: true })
    // What had the focus in it goes with the lead.
    return () => void setTimeout(focusAgain)
  }, [id])
  return (
    <section
      ref={pane}
      tabIndex={-1}
      aria-label={t('region')}
      data-covers={id === null ? undefined : ''}
      className="fixed inset-0 z-30 hidden min-h-0 min-w-0 flex-col bg-bg pt-[env(safe-area-inset-top)] outline-none data-covers:flex desk:static desk:flex desk:pt-0 low:overflow-y-auto"
    >
      {id === null ? instead || <NothingOpen /> : <OpenLead id={id} {...props} />}
    </section>
  )
}

function NothingOpen() {
  const t = useTranslations('lead')
  return (
    <div className="grid h-full place-items-center overflow-y-auto">
      <EmptyState icon={<MousePointerClick />} title={t('pick')}>
        <p className="touch:hidden">{t.rich('pickHint', { kbd: (key) => <Kbd>{key}</Kbd> })}</p>
      </EmptyState>
    </div>
  )
}

/** What a lead is shown with comes when the first one is opened: the list is on screen without it. */
export const OpenLead = lazyPart(
  async () => {
    // What is shown can be decided about, also if the network goes the moment after.
    const [code] = await Promise.all([import('./open-lead'), triageCode.want()])
    return code.OpenLead
  },
  <LeadSkeleton />,
)
