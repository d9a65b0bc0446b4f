import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useRef } from 'react'
import { lazyPart } from '@/components/app/lazy-part'
import { preloadTriage } from '@/components/app/use-triage'
import { isWide } from '@/components/ui/browser-state'
import type { LeadKey } from '@/lib/leads/lead-key'
import type { OpenLeadProps } from './open-lead'

type LeadPaneProps = Omit<OpenLeadProps, 'openKey' | 'paneRef'> & { openKey: LeadKey | null; placeholder: ReactNode }

export function LeadPane({ openKey, isChosen, placeholder, ...props }: LeadPaneProps) {
  const t = useTranslations('lead')
  const paneRef = useRef<HTMLElement>(null)
  const isCovering = openKey !== null && isChosen
  useEffect(() => {
    // On a phone the focus moves to the lead, because the lead covers the list.
    if (isCovering && !isWide()) paneRef.current?.focus({ preventScroll: true })
  }, [isCovering])
  return (
    <section
      ref={paneRef}
      tabIndex={-1}
      aria-label={t('region')}
      data-covers={isCovering ? '' : undefined}
      className="lead-pane"
    >
      {openKey === null ? placeholder : <OpenLead openKey={openKey} paneRef={paneRef} isChosen={isChosen} {...props} />}
    </section>
  )
}

/** The lead's code loads with the triage actions, so that its buttons work as soon as they respond. */
const OpenLead = lazyPart(async () => {
  const [module] = await Promise.all([import('./open-lead'), preloadTriage()])
  return module.OpenLead
})

export const preloadEditors = async () => (await import('./lead-body')).preloadEditors()
