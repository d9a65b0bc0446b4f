import { useMutation, useQuery } from '@tanstack/react-query'
import { FileBraces, FileText } from 'lucide-react'
import { useLocale, useTranslations } from 'next-intl'
import { type ReactNode, useId, useState } from 'react'
import { saveFile } from '@/components/browser/save-file'
import { useSchoolNames } from '@/components/desk/schools'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Loading } from '@/components/ui/load-failure'
import { Checkbox } from '@/components/ui/field'
import { Notice, ProblemText } from '@/components/ui/notice'
import { SectionHeading } from '@/components/ui/headings'
import { Segments } from '@/components/ui/segments'
import { toast } from '@/components/ui/toast'
import { apiQuery, apiResponse } from '@/lib/api/call'
import { receiveFile } from '@/lib/api/exports'
import type { ContactRights, ExtractRequest, KeptOfLead } from '@/lib/contract/rights'
import { locales } from '@/lib/i18n/locale'
import { leadKey } from '@/lib/leads/lead-key'
import { fullDay } from '@/lib/time/format-date'
import { epochDay, stockholmDay } from '@/lib/time/stockholm'
import { ErasePart } from './rights-erasure'
import { ShieldPart } from './protection'

/** Fetches nothing before it is opened. */
export function RightsSection({ contactId }: { contactId: string }) {
  const t = useTranslations('rights')
  const [isOpen, setOpen] = useState(false)
  return (
    <section aria-labelledby="rights">
      <SectionHeading id="rights" text={t('title')} />
      <div className="rounded-lg border border-line bg-panel shadow-card">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
          <p className="text-sm text-mute">{t('lead')}</p>
          {!isOpen && <Button text={t('open')} size="sm" onClick={() => setOpen(true)} />}
        </div>
        {isOpen && <Rights contactId={contactId} />}
      </div>
    </section>
  )
}

function Rights({ contactId }: { contactId: string }) {
  const found = useQuery(apiQuery('GET /api/contacts/[id]/rights', { params: { id: contactId } }))
  if (found.data !== undefined) return <RightsParts contactId={contactId} rights={found.data} />
  return (
    <div className="px-4 pb-4">
      <Loading found={found} className="h-40" />
    </div>
  )
}

function RightsParts({ contactId, rights }: { contactId: string; rights: ContactRights }) {
  const t = useTranslations('rights')
  // Leads of another name are chosen on purpose only, so that none goes to the wrong person.
  const [excluded, setExcluded] = useState(() => new Set(rights.leads.filter(({ isOther }) => isOther).map(leadKey)))
  const chosen = rights.leads.filter((lead) => !excluded.has(leadKey(lead)))
  const toggle = (lead: KeptOfLead) => {
    const others = new Set(excluded)
    if (!others.delete(leadKey(lead))) others.add(leadKey(lead))
    setExcluded(others)
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
              key={leadKey(lead)}
              lead={lead}
              isChosen={!excluded.has(leadKey(lead))}
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

function ExtractPart({ contactId, leads }: { contactId: string; leads: readonly KeptOfLead[] }) {
  const t = useTranslations('rights.extract')
  const [language, setLanguage] = useState(useLocale())
  const [withStaff, setWithStaff] = useState(false)
  const { mutate, isPending, isError, variables } = useExtract(contactId, leads)
  const files = [
    { format: 'html', icon: FileText, text: t('page') },
    { format: 'json', icon: FileBraces, text: t('json') },
  ] as const
  return (
    <>
      <p className="text-sm text-mute">{t('body')}</p>
      <Segments
        label={t('language')}
        value={language}
        options={locales.map((value) => ({ value, text: t(value) }))}
        onChange={setLanguage}
      />
      <Checkbox label={t('staff')} hint={t('staffHint')} checked={withStaff} onChange={setWithStaff} />
      <ProblemText text={isError ? t('failed') : null} />
      <div className="flex flex-wrap gap-2">
        {files.map(({ format, ...look }) => (
          <Button
            key={format}
            size="sm"
            disabled={leads.length === 0}
            busy={isPending && variables.format === format}
            onClick={() => mutate({ language, format, withStaff })}
            {...look}
          />
        ))}
      </div>
    </>
  )
}

function useExtract(contact: string, leads: readonly KeptOfLead[]) {
  const t = useTranslations('rights.extract')
  return useMutation({
    mutationFn: async (choice: Pick<ExtractRequest, 'language' | 'format' | 'withStaff'>) => {
      const body = { ...choice, leads: leads.map(({ kind, id }) => ({ kind, id })) }
      const asked = { params: { id: contact }, body, accept: '*/*' }
      return receiveFile(await apiResponse('POST /api/contacts/[id]/extract', asked))
    },
    onSuccess: ({ name, blob }) => {
      saveFile(name, blob)
      toast(t('done'))
    },
  })
}
