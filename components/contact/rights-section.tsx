import { useQuery } from '@tanstack/react-query'
import { FileBraces } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useState } from 'react'
import { ConfirmButton } from '@/components/app/confirm-button'
import { downloadBlob } from '@/components/app/download-blob'
import { DeskLink } from '@/components/app/navigate'
import { Timestamp } from '@/components/app/timestamp'
import { useSave } from '@/components/app/use-save'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Checkbox } from '@/components/ui/field'
import { SectionHeading } from '@/components/ui/headings'
import { LoadingOrFailure } from '@/components/ui/load-failure'
import { Notice } from '@/components/ui/notice'
import { api, apiQuery } from '@/lib/api/call'
import type { LeadRef } from '@/lib/contract/lead'
import type { ContactRights } from '@/lib/contract/rights'
import { findDisplayName } from '@/lib/inbox/lead-text'
import { type LeadKey, leadKey } from '@/lib/leads/lead-key'
import { toStockholmDay } from '@/lib/time/stockholm'
import { ProtectionControls } from './protection'

/** Lets an administrator protect a person, extract what Intag stores about them, or erase what it added. */
export function RightsSection({ contactId }: { contactId: string }) {
  const t = useTranslations('rights')
  const [isOpen, setOpen] = useState(false)
  const query = apiQuery('GET /api/contacts/[id]/rights', { params: { id: contactId } })
  const rightsQuery = useQuery({ ...query, enabled: isOpen })
  return (
    <section aria-labelledby="rights" className="print:hidden">
      <SectionHeading id="rights" text={t('title')} />
      <div className="card">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
          <p className="text-sm text-mute">{t('intro')}</p>
          {!isOpen && <Button text={t('open')} size="sm" onClick={() => setOpen(true)} />}
        </div>
        {isOpen && !rightsQuery.data && <LoadingOrFailure query={rightsQuery} className="m-4 h-40" />}
        {isOpen && rightsQuery.data && <RightsPanel contactId={contactId} rights={rightsQuery.data} />}
      </div>
    </section>
  )
}

function RightsPanel({ contactId, rights }: { contactId: string; rights: ContactRights }) {
  const t = useTranslations('rights')
  const [userChoices, setUserChoices] = useState<UserChoices>({})
  const chosenLeads = rights.leads.filter((lead) => isChosen(lead, userChoices))
  const chosenRefs = chosenLeads.map(({ kind, id }) => ({ kind, id }))
  const chosenKeys = new Set(chosenLeads.map(leadKey))
  const mentions = rights.mentions.filter((mention) => mention.leads.some((lead) => chosenKeys.has(leadKey(lead))))
  return (
    <>
      <Subsection title={t('shield.title')}>
        <ProtectionControls contactId={contactId} rights={rights} />
      </Subsection>
      <Subsection title={t('leads.title')} hint={t('leads.hint')}>
        {!rights.isWhole && <Notice size="sm">{t('notWhole')}</Notice>}
        {rights.leads.map((lead) => (
          <LeadCheckbox
            key={leadKey(lead)}
            lead={lead}
            checked={chosenLeads.includes(lead)}
            onChange={(isChecked) => setUserChoices({ ...userChoices, [leadKey(lead)]: isChecked })}
          />
        ))}
      </Subsection>
      <Subsection title={t('mentions.title')} hint={mentions.length === 0 ? t('mentions.none') : undefined}>
        <ul className="list-disc pl-5 text-sm text-mute empty:hidden">
          {mentions.map(({ kind, text, at, contactId: mentioningContactId }) => (
            <li key={`${kind} ${at} ${mentioningContactId} ${text}`} className="wrap-anywhere">
              {t(`mentions.${kind}`, { text })} <Timestamp time={at} />{' '}
              {mentioningContactId !== null && (
                <DeskLink href={`/contacts/${mentioningContactId}`} className="text-ink underline">
                  {t('mentions.show')}
                </DeskLink>
              )}
            </li>
          ))}
        </ul>
      </Subsection>
      <Subsection title={t('extract.title')} hint={t('extract.body')}>
        <ExtractButton contactId={contactId} leads={chosenRefs} />
      </Subsection>
      <Subsection title={t('erase.title')} hint={t('erase.body')}>
        <ErasurePreview leads={chosenLeads} />
        <p className="text-sm text-mute">{t('erase.stays')}</p>
        <ConfirmButton
          text={t('erase.open')}
          size="sm"
          className="self-start"
          disabled={chosenLeads.length === 0}
          texts={{
            title: t('erase.dialogTitle', { count: chosenLeads.length }),
            text: t('erase.final'),
            yes: t('erase.confirm'),
          }}
          saving={{
            send: () => {
              const body = { leads: chosenRefs, confirm: 'erase' } as const
              return api('POST /api/contacts/[id]/erasure', { params: { id: contactId }, body })
            },
            successMessage: t('erase.done'),
            invalidate: 'all',
          }}
        />
      </Subsection>
    </>
  )
}

type UserChoices = Partial<Record<LeadKey, boolean>>

/** Leads of another name are chosen only by the user, so that no data goes to the wrong person. */
export function isChosen(lead: LeadRef & { isOther: boolean }, userChoices: UserChoices): boolean {
  return userChoices[leadKey(lead)] ?? !lead.isOther
}

function Subsection({ title, hint, children }: { title: string; hint?: string | undefined; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-2.5 border-t border-line-soft px-4 py-3.5">
      <h3 className="text-sm font-semibold">{title}</h3>
      {hint !== undefined && <p className="text-sm text-mute">{hint}</p>}
      {children}
    </div>
  )
}

type StoredContactLead = ContactRights['leads'][number]
type LeadCheckboxProps = { lead: StoredContactLead; checked: boolean; onChange: (isChecked: boolean) => void }

function LeadCheckbox({ lead, checked, onChange }: LeadCheckboxProps) {
  const t = useTranslations('rights.leads')
  const tLead = useTranslations('lead')
  const { kind, fromService, triage, attempts, notes, exports } = lead
  const addedCount = (triage === null ? 0 : 1) + attempts.length + notes.length + exports.length
  const label = (
    <>
      <bdi className="mr-2 font-medium">
        {kind === 'asked-question' ? tLead('question') : (findDisplayName(fromService) ?? t('nameless'))}
      </bdi>
      {lead.isOther && <Badge tone="warn">{t('other')}</Badge>}
      <span className="tabular block text-xs text-mute">
        {lead.school} · <Timestamp time={fromService.createdAt} isInline /> · {t('added', { count: addedCount })}
      </span>
    </>
  )
  return <Checkbox label={label} checked={checked} onChange={onChange} />
}

function ErasurePreview({ leads }: { leads: readonly StoredContactLead[] }) {
  const t = useTranslations('rights.erase.goes')
  return (
    <ul className="tabular list-disc pl-5 text-sm text-mute">
      <li>{t('triage', { count: leads.filter(({ triage }) => triage !== null).length })}</li>
      {(['attempts', 'notes', 'exports'] as const).map((field) => (
        <li key={field}>{t(field, { count: leads.flatMap((lead): unknown[] => lead[field]).length })}</li>
      ))}
      <li>{t('views')}</li>
    </ul>
  )
}

function ExtractButton({ contactId, leads }: { contactId: string; leads: LeadRef[] }) {
  const t = useTranslations('rights.extract')
  const { busy, save } = useSave({
    send: () => api('POST /api/contacts/[id]/extract', { params: { id: contactId }, body: { leads } }),
    successMessage: t('done'),
    // The file name does not name the person, because it stays in the browser's list of downloads.
    onSaved: (extract) =>
      downloadBlob(
        `${t('file')}-${toStockholmDay(Date.parse(extract.madeAt))}.json`,
        new Blob([JSON.stringify(extract, null, 2)], { type: 'application/json' }),
      ),
  })
  return (
    <Button
      text={t('json')}
      icon={FileBraces}
      size="sm"
      className="self-start"
      disabled={leads.length === 0}
      busy={busy}
      onClick={() => save()}
    />
  )
}
