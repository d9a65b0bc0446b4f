import { useQuery } from '@tanstack/react-query'
import { FileBraces } from 'lucide-react'
import { useFormatter, useTranslations } from 'next-intl'
import { type ReactNode, useId, useState } from 'react'
import { saveFile } from '@/components/browser/save-file'
import { DeskLink } from '@/components/desk/navigate'
import { DialogForm, useSave, useSaveForm } from '@/components/desk/save'
import { Moment } from '@/components/notes/lead-event'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Dialog, DialogButton } from '@/components/ui/dialog'
import { TextField } from '@/components/ui/field'
import { SectionHeading } from '@/components/ui/headings'
import { Loading } from '@/components/ui/load-failure'
import { Notice } from '@/components/ui/notice'
import { api, apiQuery } from '@/lib/api/call'
import { ACTIVITY_ACTIONS } from '@/lib/contract/activity-actions'
import { LEAD_STATUSES } from '@/lib/contract/lists'
import type { ContactRights, KeptOfLead, Mention, StaffMember } from '@/lib/contract/rights'
import { nameOf } from '@/lib/inbox/lead-text'
import { leadKey } from '@/lib/leads/lead-key'
import { stockholmDay } from '@/lib/time/stockholm'
import { ShieldPart } from './protection'

/** Fetches nothing before it is opened. */
export function RightsSection({ contactId }: { contactId: string }) {
  const t = useTranslations('rights')
  const [isOpen, setOpen] = useState(false)
  const found = useQuery({
    ...apiQuery('GET /api/contacts/[id]/rights', { params: { id: contactId } }),
    enabled: isOpen,
  })
  return (
    <section aria-labelledby="rights">
      <SectionHeading id="rights" text={t('title')} />
      <div className="rounded-lg border border-line bg-panel shadow-card">
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
          <p className="text-sm text-mute">{t('lead')}</p>
          {!isOpen && <Button text={t('open')} size="sm" onClick={() => setOpen(true)} />}
        </div>
        {isOpen && found.data !== undefined && <RightsParts contactId={contactId} rights={found.data} />}
        {isOpen && found.data === undefined && (
          <div className="px-4 pb-4">
            <Loading found={found} className="h-40" />
          </div>
        )}
      </div>
    </section>
  )
}

function RightsParts({ contactId, rights }: { contactId: string; rights: ContactRights }) {
  const t = useTranslations('rights')
  // Leads of another name are chosen on purpose only, so that none goes to the wrong person.
  const [excluded, setExcluded] = useState(() => new Set(rights.leads.filter(({ isOther }) => isOther).map(leadKey)))
  const chosen = rights.leads.filter((lead) => !excluded.has(leadKey(lead)))
  const extracting = useSave({
    send: () => {
      const leads = chosen.map(({ kind, id }) => ({ kind, id }))
      return api('POST /api/contacts/[id]/extract', { params: { id: contactId }, body: { leads } })
    },
    done: t('extract.done'),
    // The file name does not name the person, because it stays in the browser's list of downloads.
    onSaved: (extract) =>
      saveFile(
        `${t('extract.file')}-${stockholmDay(Date.parse(extract.madeAt))}.json`,
        new Blob([JSON.stringify(extract, null, 2)], { type: 'application/json' }),
      ),
  })
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
      <Part title={t('leads.title')} hint={t('leads.hint')}>
        {!rights.isWhole && <Notice size="sm">{t('notWhole')}</Notice>}
        <ul>
          {rights.leads.map((lead) => {
            const key = leadKey(lead)
            return <LeadChoice key={key} lead={lead} isChosen={!excluded.has(key)} onToggle={() => toggle(lead)} />
          })}
        </ul>
      </Part>
      <Part title={t('mentions.title')}>
        <Mentions all={rights.mentions} chosen={chosen} />
      </Part>
      <Part title={t('extract.title')} hint={t('extract.body')}>
        <div>
          <Button
            text={t('extract.json')}
            icon={FileBraces}
            size="sm"
            disabled={chosen.length === 0}
            busy={extracting.busy}
            onClick={() => extracting.save()}
          />
        </div>
      </Part>
      <Part title={t('erase.title')} hint={t('erase.body')}>
        <div>
          <DialogButton
            text={t('erase.open')}
            size="sm"
            disabled={chosen.length === 0}
            dialog={(close) => <EraseDialog contactId={contactId} leads={chosen} onClose={close} />}
          />
        </div>
      </Part>
    </>
  )
}

function Part({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-2.5 border-t border-line-soft px-4 py-3.5">
      <h3 className="text-sm font-semibold">{title}</h3>
      {hint !== undefined && <p className="text-sm text-mute">{hint}</p>}
      {children}
    </div>
  )
}

/** Under each lead stands what the staff have added to it, and who has looked; what the service says is above on the page. */
function LeadChoice({ lead, isChosen, onToggle }: { lead: KeptOfLead; isChosen: boolean; onToggle: () => void }) {
  const t = useTranslations('rights')
  const inbox = useTranslations('lead')
  const id = useId()
  const kept = useKeptLines(lead)
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
              {lead.kind === 'asked-question' ? inbox('question') : (nameOf(fromService) ?? t('leads.nameless'))}
            </bdi>
            {lead.isOther && <Badge tone="warn">{t('leads.other')}</Badge>}
          </span>
          <span className="tabular block text-xs text-mute">
            {school} · <Moment at={fromService.createdAt} isPlain />
          </span>
        </span>
      </label>
      {kept.length === 0 ? (
        <p className="pl-6.5 text-xs text-mute">{t('kept.nothing')}</p>
      ) : (
        <details className="pl-6.5 text-xs text-mute print:[&::details-content]:[content-visibility:visible]">
          <summary className="flex min-h-6 cursor-pointer items-center touch:min-h-11">
            {t('kept.count', { count: kept.length })}
          </summary>
          <ul className="flex flex-col gap-1 pb-2">
            {kept.map((line) => (
              <li key={line.id} className="wrap-anywhere whitespace-pre-wrap">
                <span className="text-ink">{line.text}</span> · {line.by} · <Moment at={line.at} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </li>
  )
}

/** Returns what is kept of a lead as lines, the newest first. */
function useKeptLines({ triage, attempts, notes, exports, log }: KeptOfLead) {
  const t = useTranslations('rights.kept')
  const actions = useTranslations('activity.name')
  const statuses = useTranslations('common.status')
  const roles = useTranslations('common.role')
  const format = useFormatter()
  const staffName = (staff: StaffMember) => {
    if (staff === null) return t('former')
    return [roles(staff.role), format.list(staff.schools)].filter((part) => part !== '').join(', ')
  }
  const statusText = (text: string | null) => {
    const status = LEAD_STATUSES.find((one) => one === text)
    return status === undefined ? '' : statuses(status)
  }
  const decided = triage === null ? [] : [triage]
  const lines: { at: string; by: StaffMember; text: string }[] = [
    ...decided.map(({ status, assignee, ...done }) => {
      const words = { status: statuses(status) }
      return { ...done, text: assignee ? t('assigned', { ...words, who: staffName(assignee) }) : t('status', words) }
    }),
    ...attempts.map(({ channel, outcome, ...done }) => {
      return { ...done, text: `${t(`channel.${channel}`)}: ${t(`outcome.${outcome}`)}` }
    }),
    ...notes.map(({ text, ...done }) => ({ ...done, text: t('note', { text }) })),
    ...exports.map(({ purpose, format: file, ...done }) => ({ ...done, text: t('export', { format: file, purpose }) })),
    ...log.map(({ action, from, to, ...done }) => {
      const known = ACTIVITY_ACTIONS.find((one) => one === action)
      const name = known === undefined ? action : actions(known)
      return { ...done, text: from === to ? name : `${name}: ${statusText(from)} → ${statusText(to)}` }
    }),
  ]
  // Two users may have opened it in one moment.
  return lines.map((line, id) => ({ ...line, id, by: staffName(line.by) })).toSorted((a, b) => (a.at < b.at ? 1 : -1))
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

type EraseDialogProps = { contactId: string; leads: readonly KeptOfLead[]; onClose: () => void }

/** A word must be typed, because erasure cannot be undone. */
function EraseDialog({ contactId, leads, onClose }: EraseDialogProps) {
  const t = useTranslations('rights.erase')
  const [typed, setTyped] = useState('')
  const word = t('word')
  const saving = useSaveForm({
    values: leads.map(({ kind, id }) => ({ kind, id })),
    send: (erased) =>
      api('POST /api/contacts/[id]/erasure', { params: { id: contactId }, body: { leads: erased, confirm: 'erase' } }),
    done: t('done'),
    refresh: 'all',
    refreshFirst: true,
    onSaved: onClose,
  })
  const isConfirmed = typed.trim().toLocaleUpperCase() === word
  const sum = (count: (lead: KeptOfLead) => number) => leads.reduce((total, lead) => total + count(lead), 0)
  return (
    <Dialog onClose={onClose} insistent={saving.busy} title={t('dialogTitle', { count: leads.length })}>
      <DialogForm saving={saving} save={t('confirm')} isDangerous disabled={!isConfirmed} onClose={onClose}>
        <div>
          <h3 className="text-sm font-semibold">{t('goes')}</h3>
          <ul className="tabular list-disc pl-5 text-sm text-mute">
            <li>{t('goesList.triage', { count: sum(({ triage }) => (triage === null ? 0 : 1)) })}</li>
            <li>{t('goesList.attempts', { count: sum(({ attempts }) => attempts.length) })}</li>
            <li>{t('goesList.notes', { count: sum(({ notes }) => notes.length) })}</li>
            <li>{t('goesList.exports', { count: sum(({ exports }) => exports.length) })}</li>
            <li>{t('goesList.views')}</li>
          </ul>
        </div>
        <div>
          <h3 className="text-sm font-semibold">{t('stays')}</h3>
          <ul className="list-disc pl-5 text-sm text-mute">
            {(['service', 'log', 'files', 'mentions'] as const).map((what) => (
              <li key={what}>{t(`staysList.${what}`)}</li>
            ))}
          </ul>
        </div>
        <TextField
          label={t('type', { word })}
          autoFocus
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </DialogForm>
    </Dialog>
  )
}
