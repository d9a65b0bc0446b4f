import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'next-intl'
import { type ReactNode, useId, useState } from 'react'
import { useSchoolNames } from '@/components/desk/schools'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { LoadFailure } from '@/components/ui/load-failure'
import { Skeleton } from '@/components/ui/loading'
import { Notice } from '@/components/ui/notice'
import { SectionHeading } from '@/components/ui/section-heading'
import { apiQuery } from '@/lib/api/call'
import type { LeadRef } from '@/lib/contract/lead'
import type { ContactRights, KeptOfLead } from '@/lib/contract/rights'
import { fullDay } from '@/lib/time/format-date'
import { epochDay, stockholmDay } from '@/lib/time/stockholm'
import { ErasePart } from './rights-erasure'
import { ExtractPart } from './rights-extract'
import { ShieldPart } from './rights-shield'

/** What an administrator does when a person asks for their rights; nothing is asked for before it is opened. */
export function RightsSection({ contactId }: { contactId: string }) {
  const t = useTranslations('rights')
  const [isOpen, setOpen] = useState(false)
  return (
    <section aria-labelledby="rights">
      <SectionHeading id="rights" level={2}>
        {t('title')}
      </SectionHeading>
      <div className="rounded-lg border border-line bg-panel shadow-card">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
          <p className="text-sm text-mute">{t('lead')}</p>
          {!isOpen && (
            <Button size="sm" onClick={() => setOpen(true)}>
              {t('open')}
            </Button>
          )}
        </div>
        {isOpen && <Rights contactId={contactId} />}
      </div>
    </section>
  )
}

function Rights({ contactId }: { contactId: string }) {
  const t = useTranslations('rights')
  const { data, isError, refetch } = useQuery(apiQuery('GET /api/contacts/[id]/rights', { params: { id: contactId } }))
  if (data !== undefined) return <Parts contactId={contactId} rights={data} />
  if (!isError) return <Skeleton className="m-4 h-40" />
  return (
    <div className="px-4 pb-4">
      <LoadFailure onRetry={() => void refetch()}>{t('failed')}</LoadFailure>
    </div>
  )
}

const nameOf = ({ kind, id }: LeadRef) => `${kind} ${id}`

function Parts({ contactId, rights }: { contactId: string; rights: ContactRights }) {
  const t = useTranslations('rights')
  // Somebody else's leads go to nobody by mistake: those of another name are chosen on purpose.
  const [left, setLeft] = useState(() => new Set(rights.leads.filter(({ isOther }) => isOther).map(nameOf)))
  const chosen = rights.leads.filter((lead) => !left.has(nameOf(lead)))
  const toggle = (lead: KeptOfLead) => {
    const others = new Set(left)
    if (!others.delete(nameOf(lead))) others.add(nameOf(lead))
    setLeft(others)
  }
  return (
    <>
      <Part title={t('shield.title')}>
        <ShieldPart contactId={contactId} rights={rights} />
      </Part>
      <Part title={t('leads.title')}>
        <p className="text-sm text-mute">{t('leads.hint')}</p>
        {!rights.isWhole && <Notice size="sm">{t('notWhole')}</Notice>}
        <ul className="-mx-2 max-h-72 overflow-y-auto scroll-thin">
          {rights.leads.map((lead) => (
            <LeadChoice
              key={nameOf(lead)}
              lead={lead}
              isChosen={!left.has(nameOf(lead))}
              onToggle={() => toggle(lead)}
            />
          ))}
        </ul>
      </Part>
      <Part title={t('extract.title')}>
        <ExtractPart contactId={contactId} leads={chosen} />
      </Part>
      <Part title={t('erase.title')}>
        <ErasePart contactId={contactId} leads={chosen} rights={rights} />
      </Part>
    </>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-2.5 border-t border-line-soft px-4 py-3.5">
      <h3 className="text-sm font-semibold">{title}</h3>
      {children}
    </div>
  )
}

function LeadChoice({ lead, isChosen, onToggle }: { lead: KeptOfLead; isChosen: boolean; onToggle: () => void }) {
  const t = useTranslations('rights.leads')
  const inbox = useTranslations('lead')
  const locale = useLocale()
  const schools = useSchoolNames()
  const id = useId()
  return (
    <li>
      <label className="flex min-h-10 items-center gap-2.5 rounded-sm px-2 py-1 text-sm hover:bg-hover touch:min-h-11">
        <input
          type="checkbox"
          aria-labelledby={id}
          className="size-4 shrink-0"
          checked={isChosen}
          onChange={onToggle}
        />
        <span id={id} className="min-w-0">
          <span className="flex flex-wrap items-center gap-x-2">
            <bdi className="font-medium wrap-anywhere">
              {lead.kind === 'asked-question' ? inbox('question') : (lead.name ?? t('nameless'))}
            </bdi>
            {lead.isOther && <Badge tone="warn">{t('other')}</Badge>}
          </span>
          <span className="tabular block text-xs text-mute">
            {schools.byId(lead.highSchoolId)} · {fullDay(epochDay(stockholmDay(Date.parse(lead.createdAt))), locale)} ·{' '}
            {t('kept', { notes: lead.notes, exports: lead.exports })}
          </span>
        </span>
      </label>
    </li>
  )
}
