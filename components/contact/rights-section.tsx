import { useQuery } from '@tanstack/react-query'
import { FileBraces } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { type ReactNode, useId, useState } from 'react'
import { saveFile } from '@/components/browser/save-file'
import { DeskLink } from '@/components/desk/navigate'
import { useSave } from '@/components/desk/save'
import { Moment } from '@/components/notes/lead-event'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { SectionHeading } from '@/components/ui/headings'
import { Loading } from '@/components/ui/load-failure'
import { Notice } from '@/components/ui/notice'
import { api, apiQuery } from '@/lib/api/call'
import type { ContactRights, KeptOfLead, Mention } from '@/lib/contract/rights'
import { nameOf } from '@/lib/inbox/lead-text'
import { leadKey } from '@/lib/leads/lead-key'
import { stockholmDay } from '@/lib/time/stockholm'
import { KeptLines } from './kept-of-lead'
import { ShieldPart } from './protection'
import { ErasePart } from './rights-erasure'

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
        <ul>
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
      <Part title={t('mentions.title')}>
        <Mentions all={rights.mentions} chosen={chosen} />
      </Part>
      <Part title={t('extract.title')}>
        <ExtractPart contactId={contactId} leads={chosen} />
      </Part>
      <Part title={t('erase.title')}>
        <ErasePart contactId={contactId} leads={chosen} />
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
  const id = useId()
  const { fromService, school } = lead
  return (
    <li>
      <label className="flex min-h-10 items-center gap-2.5 py-1 text-sm touch:min-h-11">
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
              {lead.kind === 'asked-question' ? inbox('question') : (nameOf(fromService) ?? t('nameless'))}
            </bdi>
            {lead.isOther && <Badge tone="warn">{t('other')}</Badge>}
          </span>
          <span className="tabular block text-xs text-mute">
            {school} · <Moment at={fromService.createdAt} isPlain />
          </span>
        </span>
      </label>
      <KeptLines lead={lead} />
    </li>
  )
}

function Mentions({ all, chosen }: { all: readonly Mention[]; chosen: readonly KeptOfLead[] }) {
  const t = useTranslations('rights.mentions')
  const keys = new Set(chosen.map(leadKey))
  const mentions = all.filter(({ leads }) => leads.some((lead) => keys.has(leadKey(lead))))
  if (mentions.length === 0) return <p className="text-sm text-mute">{t('none')}</p>
  return (
    <ul className="list-disc pl-5 text-sm text-mute">
      {mentions.map(({ kind, text, at, contactId }) => (
        <li key={`${kind} ${at} ${text}`} className="wrap-anywhere">
          {t(kind, { text })} <Moment at={at} />{' '}
          {contactId !== null && (
            <DeskLink href={`/contacts/${contactId}`} className="text-ink underline">
              {t('show')}
            </DeskLink>
          )}
        </li>
      ))}
    </ul>
  )
}

function ExtractPart({ contactId, leads }: { contactId: string; leads: readonly KeptOfLead[] }) {
  const t = useTranslations('rights.extract')
  const { save, busy } = useSave({
    send: () => {
      const chosen = leads.map(({ kind, id }) => ({ kind, id }))
      return api('POST /api/contacts/[id]/extract', { params: { id: contactId }, body: { leads: chosen } })
    },
    done: t('done'),
    // The file name does not name the person, because it stays in the browser's list of downloads.
    onSaved: (extract) =>
      saveFile(
        `${t('file')}-${stockholmDay(Date.parse(extract.madeAt))}.json`,
        new Blob([JSON.stringify(extract, null, 2)], { type: 'application/json' }),
      ),
  })
  return (
    <>
      <p className="text-sm text-mute">{t('body')}</p>
      <div>
        <Button
          text={t('json')}
          icon={FileBraces}
          size="sm"
          disabled={leads.length === 0}
          busy={busy}
          onClick={() => save()}
        />
      </div>
    </>
  )
}
