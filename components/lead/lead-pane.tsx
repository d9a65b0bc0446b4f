import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useRef } from 'react'
import { isWide } from '@/components/browser/browser-tab'
import { cancelReply } from '@/components/contact/reply-request'
import { lazyPart } from '@/components/desk/lazy-part'
import { triageCode } from '@/components/triage/use-triage'
import { Kbd } from '@/components/ui/kbd'
import { focusAgain } from '@/components/ui/focus-return'
import { LeadSkeleton } from './lead-skeleton'
import type { OpenLeadProps } from './open-lead'

type LeadPaneProps = Omit<OpenLeadProps, 'id'> & {
  id: string | null
  instead: ReactNode
}

export function LeadPane({ id, instead, ...props }: LeadPaneProps) {
  const t = useTranslations('lead')
  const pane = useRef<HTMLElement>(null)
  const { kind } = props.description
  useEffect(() => {
    if (id === null) return
    // In a low window the pane itself scrolls, and each lead is read from its top.
    pane.current?.scrollTo({ top: 0 })
    // On a phone the list is gone from sight, so the focus must not stay in it.
    if (!isWide()) pane.current?.focus({ preventScroll: true })
    // What had the focus in it goes with the lead.
    return () => {
      cancelReply({ kind, id })
      setTimeout(focusAgain)
    }
  }, [kind, id])
  return (
    <section
      ref={pane}
      tabIndex={-1}
      aria-label={t('region')}
      data-covers={id === null ? undefined : ''}
      className="lead-pane"
    >
      {id === null ? instead : <OpenLead id={id} {...props} />}
    </section>
  )
}

/** Beside a list with something to choose. */
export function NothingOpen() {
  const t = useTranslations('lead')
  return (
    <p className="m-auto p-6 text-center text-sm text-faint touch:hidden">
      {t.rich('pickHint', { kbd: (key) => <Kbd>{key}</Kbd> })}
    </p>
  )
}

const leadCode = () => import('./open-lead')

/** What a lead is shown with comes when the first one is opened: the list is on screen without it. */
export const OpenLead = lazyPart(
  async () => {
    // What is shown can be decided about, also if the network goes the moment after.
    const [code] = await Promise.all([leadCode(), triageCode.want()])
    return code.OpenLead
  },
  <LeadSkeleton />,
)

export const loadWriting = async () => (await leadCode()).loadWriting()
