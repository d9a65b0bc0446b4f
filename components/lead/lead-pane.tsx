import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useRef } from 'react'
import { lazyPart } from '@/components/app/lazy-part'
import { preloadTriage } from '@/components/app/use-triage'
import { isWide } from '@/components/ui/browser-state'
import type { LeadKey } from '@/lib/leads/lead-key'
import type { OpenLeadProps } from './open-lead'

type LeadPaneProps = Omit<OpenLeadProps, 'openKey' | 'pane'> & { openKey: LeadKey | null; placeholder: ReactNode }

export function LeadPane({ openKey, isChosen, placeholder, ...props }: LeadPaneProps) {
  const t = useTranslations('lead')
  const pane = useRef<HTMLElement>(null)
  const isCovering = openKey !== null && isChosen
  useEffect(() => {
    // On a phone the focus moves to the lead, because the lead covers the list.
    if (isCovering && !isWide()) pane.current?.focus({ preventScroll: true })
  }, [isCovering])
  return (
    <section
      ref={pane}
      tabIndex={-1}
      aria-label={t('region')}
      data-covers={isCovering ? '' : undefined}
      className="lead-pane"
    >
      {openKey === null ? placeholder : <OpenLead openKey={openKey} pane={pane} isChosen={isChosen} {...props} />}
    </section>
  )
}

/** The code is loaded right after the list's, with the triage actions, because the lead is in the page's HTML. */
const OpenLead = lazyPart(async () => {
  const [module] = await Promise.all([import('./open-lead'), preloadTriage()])
  return module.OpenLead
})

export const preloadEditors = async () => (await import('./lead-body')).preloadEditors()
