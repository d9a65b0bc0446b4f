import { MousePointerClick } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { useFirstInput } from '@/components/browser/browser-tab'
import { isWide } from '@/components/browser/screen-width'
import { EmptyState } from '@/components/ui/empty-state'
import { Kbd } from '@/components/ui/kbd'
import { LeadSkeleton } from './lead-skeleton'
import type { OpenLeadProps } from './open-lead'

type LeadPaneProps = Omit<OpenLeadProps, 'id'> & { id: string | null }

/** The open lead: the last pane on a desk, the whole screen on a phone. */
export function LeadPane({ id, ...props }: LeadPaneProps) {
  const t = useTranslations('lead')
  const pane = useRef<HTMLElement>(null)
  useFirstInput(loadOpenLeadAhead)
  useEffect(() => {
    // On a phone the list is gone from sight, so the focus must not stay in it.
    if (id !== null && !isWide()) pane.current?.focus({ preventScroll: true })
  }, [id])
  return (
    <section
      ref={pane}
      tabIndex={-1}
      aria-label={t('region')}
      data-covers={id === null ? undefined : ''}
      className="fixed inset-0 z-30 hidden min-h-0 min-w-0 flex-col bg-bg pt-[env(safe-area-inset-top)] outline-none data-covers:flex desk:static desk:flex desk:pt-0"
    >
      {id === null ? (
        <NothingOpen />
      ) : (
        <Suspense fallback={<LeadSkeleton />}>
          <OpenLead id={id} {...props} />
        </Suspense>
      )}
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
const OpenLead = lazy(async () => ({ default: (await loadOpenLead()).OpenLead }))

const loadOpenLead = () => import('./open-lead')

/** Before it is wanted; opening tries again, and tells what is wrong. */
function loadOpenLeadAhead(): void {
  loadOpenLead().catch(() => {})
}
