import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useRef } from 'react'
import { lazyPart } from '@/components/app/lazy-part'
import { loadTriage } from '@/components/app/use-triage'
import { isWide } from '@/components/ui/browser-state'
import type { LeadKey } from '@/lib/leads/lead-key'
import type { OpenLeadProps } from './open-lead'

export const preloadWriting = async () => (await import('./lead-body')).preloadEditors()

type LeadPaneProps = Omit<OpenLeadProps, 'id' | 'pane'> & { id: LeadKey | null; placeholder: ReactNode }

export function LeadPane({ id, isChosen, placeholder, ...props }: LeadPaneProps) {
  const t = useTranslations('lead')
  const pane = useRef<HTMLElement>(null)
  const isCovering = id !== null && isChosen
  useEffect(() => {
    // On a phone the lead covers the list, so the focus must not stay in the list.
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
      {id === null ? placeholder : <OpenLead id={id} pane={pane} isChosen={isChosen} {...props} />}
    </section>
  )
}

/** The lead is in the HTML of the page. Its code is loaded right after the list's, together with the triage actions. */
const OpenLead = lazyPart(async () => {
  const [code] = await Promise.all([import('./open-lead'), loadTriage()])
  return code.OpenLead
})
