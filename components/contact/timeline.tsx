'use client'

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { Skeleton } from '@/components/ui/skeleton'
import { contact } from '@/lib/api/contacts'
import type { LeadItem } from '@/lib/api/lead-page'
import type { Contact } from '@/lib/contract/contact'
import { isQuestion, nameOf } from '@/lib/inbox/lead-text'
import { type Bond, bondBetween } from './bond-between'
import { SectionHeading } from './section-heading'
import { TimelineEntry } from './timeline-entry'

/** What a person takes in at a glance; more unfolds. */
const SHOWN_FIRST = 8

/** Every lead of the person behind the open one, newest first, and why each is thought to be theirs. */
export function Timeline({ open }: { open: LeadItem }) {
  const t = useTranslations('contact.timeline')
  const { data, isError, refetch } = useQuery(contact(open.contactId))
  return (
    <section aria-labelledby="timeline" className="mt-7">
      <SectionHeading id="timeline" count={data?.total}>
        {t('title')}
      </SectionHeading>
      {data !== undefined ? (
        <Entries contact={data} open={open} />
      ) : isError ? (
        <Failed onRetry={() => void refetch()} />
      ) : (
        <Waiting />
      )}
    </section>
  )
}

function Entries({ contact: { leads, total }, open }: { contact: Contact; open: LeadItem }) {
  const t = useTranslations('contact.timeline')
  const [isWhole, setWhole] = useState(false)
  const isOpen = (lead: LeadItem) => lead.id === open.id && isQuestion(lead) === isQuestion(open)
  if (leads.length <= 1) return <p className="text-sm text-mute">{t('only')}</p>
  const shown = isWhole ? leads : leads.filter(({ lead }, index) => index < SHOWN_FIRST || isOpen(lead))
  return (
    <>
      <ol className="ml-1.75 border-l-2 border-line">
        {shown.map(({ kind, lead }) => {
          const isCurrent = isOpen(lead)
          const bond = isCurrent ? null : bondBetween(open, lead)
          const name = bond === null || saysNothingNew(lead, bond) ? null : nameOf(lead)
          return (
            <TimelineEntry key={kind + lead.id} kind={kind} lead={lead} isCurrent={isCurrent} bond={bond} name={name} />
          )
        })}
      </ol>
      {shown.length < leads.length && (
        <Button size="sm" className="mt-1" onClick={() => setWhole(true)}>
          {t('showAll', { count: leads.length })}
        </Button>
      )}
      {isWhole && leads.length < total && (
        <p className="mt-2 text-xs text-mute">{t('cut', { shown: leads.length, total })}</p>
      )}
    </>
  )
}

/** A sender is known by an address alone; when that is what joins the two, it stands above already. */
function saysNothingNew(lead: LeadItem, { by, sameName }: Bond): boolean {
  return sameName === true || (isQuestion(lead) && by !== 'through-others')
}

function Failed({ onRetry }: { onRetry: () => void }) {
  const t = useTranslations('contact.timeline')
  const common = useTranslations('common')
  return (
    <p role="alert" className="flex flex-wrap items-center gap-3 text-sm text-mute">
      {t('failed')}
      <Button size="sm" onClick={onRetry}>
        {common('tryAgain')}
      </Button>
    </p>
  )
}

function Waiting() {
  return (
    <span className="flex flex-col gap-3">
      <Skeleton className="h-5 w-72 max-w-full" />
      <Skeleton className="h-5 w-60 max-w-full" />
    </span>
  )
}
